import { invalid, type Message, type MessageInput, ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createMessageRow } from './message-row.ts';
import { refuseLocation } from './prepare.ts';
import type { Messages } from './service.ts';

type Deps = { kernel: Kernel; access: Access; messages: Messages };

/** A word from the app to one person in a channel: on their open connections, stored nowhere. */
export const createEphemeral =
  ({ kernel, access, messages }: Deps) =>
  async (actor: Actor, cid: string, input: MessageInput): Promise<Message> => {
    if (actor.kind !== 'server')
      throw new ParleyError(
        'NotAllowed',
        'Only the server may send ephemeral messages (send-ephemeral-message)',
      );
    const reader = actingUser(actor);
    if (!(await access.mayRead({ kind: 'user', user: reader }, cid)))
      throw invalid('message.user_id', `${reader.row.id} may not read ${cid}`);
    refuseLocation(input);
    const { message: prepared } = await messages.prepare(actor, cid, { ...input, type: 'regular' });
    const nowhere = { seq: 0, last_number: 0, last_message_at: null };
    const row = createMessageRow({ ...prepared, silent: true }, nowhere, kernel.now());
    const shown = await messages.one({ ...row, number: 0, seq: 0 }, reader.row.id);
    const message: Message = { ...shown, type: 'ephemeral' };
    kernel.notify([reader.row.id], 'notification.ephemeral_message', { message }, cid);
    return message;
  };

export type SendEphemeral = ReturnType<typeof createEphemeral>;
