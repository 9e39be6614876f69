/** Changes of messages and rare calls, loaded when one is first made. */
import type { Message, MessageInput } from '@parley/protocol';
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';
import type { PendingOp } from '../../sync/overlay.ts';
import type { MessageRef } from '../../sync/state.ts';
import { createJump } from './jump.ts';

export type MessageEdit = Pick<MessageInput, 'text' | 'attachments' | 'mentioned_users'> &
  Record<string, unknown>;

const editOp = (
  key: string,
  ref: MessageRef,
  { text, attachments }: MessageEdit,
  { changeOp }: LateTools,
): PendingOp =>
  changeOp(key, ref, (message) => ({
    ...message,
    ...(text === undefined ? {} : { text }),
    ...(attachments === undefined ? {} : { attachments }),
  }));

const softDeleteOp = (key: string, ref: MessageRef, at: string, { changeOp }: LateTools): PendingOp =>
  changeOp(key, ref, (message) => ({
    ...message,
    type: 'deleted',
    text: '',
    attachments: [],
    deleted_at: at,
  }));

const hardDeleteOp = (key: string, { id }: MessageRef, tools: LateTools): PendingOp => ({
  key,
  apply: (state) => ({
    ...tools.removeMessage(state, id),
    threads: tools.changeThread(state, tools.findLoaded(state, id)?.parent_id, (thread) =>
      tools.removeMessage(thread, id),
    ),
  }),
});

const createChanges = (core: Core, tools: LateTools) => {
  const { http, environment } = core;
  const nextKey = (name: string, { id }: MessageRef) => `${name} ${id} ${environment.uuid()}`;
  type Reply = { message: Message; seq?: number };
  /** Shows the change until the server has confirmed or refused it. */
  const shown = async (ref: MessageRef, op: PendingOp, call: () => Promise<Reply>): Promise<Message> =>
    tools.during(core.store, ref.cid, op, async () => {
      await core.settled(ref.cid, ref.id);
      const { message, seq } = await call();
      core.confirm({ type: 'message.updated', cid: message.cid, message }, seq);
      return message;
    });
  const patch = async (
    ref: MessageRef,
    set: Record<string, unknown>,
    unset: string[] = [],
  ): Promise<Message> => {
    core.ownId();
    tools.checkRef(ref);
    const op = tools.changeOp(nextKey('patch', ref), ref, (message) => ({ ...message, ...set }));
    return shown(ref, op, () =>
      http.call('PATCH /messages/{id}', { path: { id: ref.id }, body: { set, unset } }),
    );
  };
  return {
    edit: (ref: MessageRef, edit: MessageEdit): Promise<Message> =>
      shown(ref, editOp(nextKey('edit', ref), ref, edit, tools), () =>
        http.call('PUT /messages/{id}', { path: { id: ref.id }, body: { message: edit } }),
      ),
    /** Changes some fields of a message. */
    patch,
    /** Pins a message, until `expires` if it is given. */
    pin: (ref: MessageRef, expires?: string) =>
      patch(ref, { pinned: true, ...(expires ? { pin_expires: expires } : {}) }),
    /** Removes the pin of a message. */
    unpin: (ref: MessageRef) => patch(ref, { pinned: false }),
    delete: async (ref: MessageRef, { hard = false } = {}): Promise<void> => {
      const at = new Date(environment.clock.now()).toISOString();
      const key = nextKey('remove', ref);
      const op = hard ? hardDeleteOp(key, ref, tools) : softDeleteOp(key, ref, at, tools);
      await tools.during(core.store, ref.cid, op, async () => {
        await core.settled(ref.cid, ref.id);
        const query = hard ? { hard: 'true' as const } : {};
        const { message, seq } = await http.call('DELETE /messages/{id}', { path: { id: ref.id }, query });
        core.confirm({ type: 'message.deleted', cid: message.cid, message, hard_delete: hard }, seq);
      });
    },
  };
};

export const createMessageCalls = (core: Core, tools: LateTools) => ({
  ...createChanges(core, tools),
  ...createJump(core, tools),
  /** Loads one message from the server. */
  get: async (id: string): Promise<Message> => {
    const reply = await core.http.call('GET /messages/{id}', { path: { id } });
    return reply.message;
  },
  /** Restores a deleted message. */
  undelete: async (ref: MessageRef): Promise<Message> => {
    tools.checkRef(ref);
    const path = { id: ref.id };
    const { message, seq } = await core.http.call('POST /messages/{id}/undelete', { path, body: {} });
    core.confirm({ type: 'message.undeleted', cid: message.cid, message }, seq);
    return message;
  },
});
