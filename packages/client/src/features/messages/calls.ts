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

type Reply = { message: Message; seq?: number };
type Settled = { sent: Message } | { edit: MessageEdit };

/**
 * Waits until a message is sent that is edited meanwhile. The edit goes with its next try, so that nobody sees the old text; only where
 * the server has stored the old one, by a try whose reply was lost, it has to be called for.
 */
const createSettle = (core: Core) => {
  /** All edits of a message together, while it is being sent. */
  const edits = new Map<string, MessageEdit>();
  return async ({ cid, id }: MessageRef, edit: MessageEdit, before: string | undefined): Promise<Settled> => {
    const all = { ...edits.get(id), ...edit };
    edits.set(id, all);
    let hasLater = false;
    const sent = await core.settled(cid, id, edit).finally(() => {
      hasLater = edits.get(id) !== all;
      if (!hasLater) edits.delete(id);
    });
    if (!sent) return { edit };
    // The text shows which of the two was stored, where it was changed.
    const isStored = edit.text !== before && edit.text === sent.text;
    return isStored || hasLater ? { sent } : { edit: all };
  };
};

const createChanges = (core: Core, tools: LateTools) => {
  const { http, environment, store } = core;
  const settle = createSettle(core);
  const nextKey = (name: string, { id }: MessageRef) => `${name} ${id} ${environment.uuid()}`;
  const confirm = ({ message, seq }: Reply): Message => {
    core.confirm({ type: 'message.updated', cid: message.cid, message }, seq);
    return message;
  };
  /** Shows an edit until the server has confirmed or refused it. */
  const shown = (
    ref: MessageRef,
    op: PendingOp,
    edit: MessageEdit,
    call: (edit: MessageEdit) => Promise<Reply>,
  ): Promise<Message> => {
    const state = store.readable(ref.cid).get();
    const before = state && tools.findLoaded(state, ref.id)?.text;
    return tools.during(store, ref.cid, op, async () => {
      const settled = await settle(ref, edit, before);
      return 'sent' in settled ? settled.sent : confirm(await call(settled.edit));
    });
  };
  const patch = async (
    ref: MessageRef,
    set: Record<string, unknown>,
    unset: string[] = [],
  ): Promise<Message> => {
    core.ownId();
    tools.checkRef(ref);
    const op = tools.changeOp(nextKey('patch', ref), ref, (message) => ({ ...message, ...set }));
    const call = (all: Record<string, unknown>) =>
      http.call('PATCH /messages/{id}', { path: { id: ref.id }, body: { set: all, unset } });
    if ('text' in set) return shown(ref, op, set, call);
    return tools.during(store, ref.cid, op, async () => {
      await core.settled(ref.cid, ref.id);
      return confirm(await call(set));
    });
  };
  return {
    edit: (ref: MessageRef, edit: MessageEdit): Promise<Message> =>
      shown(ref, editOp(nextKey('edit', ref), ref, edit, tools), edit, (all) =>
        http.call('PUT /messages/{id}', { path: { id: ref.id }, body: { message: all } }),
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
