import { randomUUID } from 'node:crypto';
import { type Message, type MessageInput, ParleyError } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Messages } from '../messages/service.ts';
import { type ChannelUpdate, idOf } from './update-rules.ts';

const joins = (actor: Actor, update: ChannelUpdate): boolean =>
  (update.add_members ?? []).some((member) => idOf(member) === actorId(actor));

export const leaves = (actor: Actor, update: ChannelUpdate): boolean =>
  (update.remove_members ?? []).some((id) => id === actorId(actor));

/** A message that comes along with a change of the channel. */
export const createSendAlong = (messages: Messages) => ({
  /** Comes before the change: a message that is refused after it would leave the change half done. */
  async check(actor: Actor, cid: string, input: MessageInput, update: ChannelUpdate = {}): Promise<void> {
    try {
      await messages.check(actor, cid, input);
    } catch (error) {
      const mayWriteLater =
        error instanceof ParleyError && error.name === 'NotAllowed' && joins(actor, update);
      if (!mayWriteLater) throw error;
    }
  },
  async send(actor: Actor, cid: string, input: MessageInput): Promise<Message> {
    const id = input.id ?? randomUUID();
    await messages.send(actor, cid, { ...input, id });
    return messages.get(actor, id);
  },
});
