import type { Message, MessageInput } from '@parley/protocol';
import { texts } from '@parley/protocol/errors';
import { checkObject, checkRef, fromCid } from '../../cid.ts';
import type { Core } from '../../core.ts';
import { notOurs } from '../../http/error-reply.ts';
import { NetworkError } from '../../http/network-error.ts';
import { createOutbox, type Outbox, type OutboxEntry } from '../../sync/outbox.ts';
import type { MessageRef } from '../../sync/state.ts';
import { during } from '../../sync/store.ts';
import { createPages } from './pages.ts';
import { changeOp, editOp, removeOp, sendKey, sendOp } from './pending.ts';
import { dismiss } from './private-messages.ts';
import { createReplies } from './replies.ts';

export type MessageEdit = Pick<MessageInput, 'text' | 'attachments' | 'mentioned_users'> &
  Record<string, unknown>;

/** The outbox of a client: what is drawn while it waits is an overlay, what was stored is confirmed. */
export const createMessageOutbox = (core: Core): Outbox => {
  const draw = (entry: OutboxEntry) => core.store.putOp(entry.cid, sendOp(entry, core.ownUser()));
  return createOutbox({
    clock: core.environment.clock,
    random: core.environment.random,
    deliver: async (entry) => {
      const body = { message: { ...entry.input, id: entry.id } };
      const { cid } = entry;
      const reply = await core.http.call('POST /channels/{type}/{id}/message', { cid, body });
      const message = reply.message;
      // An answer in place of the server's means that nothing was stored.
      if (!message?.id) throw new NetworkError(notOurs());
      entry.seq = reply.seq;
      return message;
    },
    onChange: draw,
    onSent: (entry, message) => {
      try {
        core.confirm({ type: 'message.new', cid: entry.cid, message }, entry.seq);
      } catch (error) {
        core.log.error('A message could not be shown', error);
      }
      core.store.removeOp(entry.cid, sendKey(entry.id));
    },
    onGone: (entry) => core.store.removeOp(entry.cid, sendKey(entry.id)),
  });
};

/** The drawn message is the one that `send` will store: an edit before that changes what is sent. */
const editWaiting = (outbox: Outbox, { cid, id }: MessageRef, edit: MessageEdit): boolean => {
  const entry = outbox.find(cid, id);
  if (entry?.status !== 'failed') return false;
  entry.input = { ...entry.input, ...edit };
  return true;
};

type Reply = { message: Message; seq?: number };

const settler =
  (core: Core) =>
  (
    type: 'message.updated' | 'message.deleted' | 'message.undeleted',
    reply: Reply,
    hard_delete = false,
  ): Message => {
    const { message } = reply;
    core.confirm({ type, cid: message.cid, message, hard_delete }, reply.seq);
    return message;
  };

const createChanges = (core: Core, outbox: Outbox) => {
  const { http, environment } = core;
  const nextKey = (name: string, { id }: MessageRef) => `${name} ${id} ${environment.uuid()}`;
  const settle = settler(core);
  const patch = async (
    ref: MessageRef,
    set: Record<string, unknown>,
    unset: string[] = [],
  ): Promise<Message> => {
    core.ownId();
    checkRef(ref);
    const op = changeOp(nextKey('patch', ref), ref, (message) => ({ ...message, ...set }));
    return during(core.store, ref.cid, op, async () => {
      await outbox.settled(ref.cid, ref.id);
      const reply = await http.call('PATCH /messages/{id}', { path: { id: ref.id }, body: { set, unset } });
      return settle('message.updated', reply);
    });
  };
  return {
    /** Replaces what the author said. A message that failed is changed where it waits and sent again. */
    edit: async (ref: MessageRef, edit: MessageEdit): Promise<Message> => {
      core.ownId();
      checkRef(ref);
      checkObject('message', edit);
      if (editWaiting(outbox, ref, edit)) return outbox.retry(ref.cid, ref.id);
      return during(core.store, ref.cid, editOp(nextKey('edit', ref), ref, edit), async () => {
        await outbox.settled(ref.cid, ref.id);
        const reply = await http.call('PUT /messages/{id}', {
          path: { id: ref.id },
          body: { message: edit },
        });
        return settle('message.updated', reply);
      });
    },
    /** Changes some fields of a message. */
    patch,
    /** Pins a message, until `expires` if it is given. */
    pin: (ref: MessageRef, expires?: string) =>
      patch(ref, { pinned: true, ...(expires ? { pin_expires: expires } : {}) }),
    /** Removes the pin of a message. */
    unpin: (ref: MessageRef) => patch(ref, { pinned: false }),
    /** Softly by default: a tombstone stays; `hard` removes it for good. */
    delete: async (ref: MessageRef, { hard = false } = {}): Promise<void> => {
      core.ownId();
      checkRef(ref);
      if (outbox.find(ref.cid, ref.id)?.status === 'failed') return outbox.discard(ref.cid, ref.id);
      const at = new Date(environment.clock.now()).toISOString();
      await during(core.store, ref.cid, removeOp(nextKey('remove', ref), ref, hard, at), async () => {
        await outbox.settled(ref.cid, ref.id);
        const query = hard ? { hard: 'true' as const } : {};
        const reply = await http.call('DELETE /messages/{id}', { path: { id: ref.id }, query });
        settle('message.deleted', reply, hard);
      });
    },
    /** Restores a deleted message. */
    undelete: async (ref: MessageRef): Promise<Message> => {
      checkRef(ref);
      const reply = await http.call('POST /messages/{id}/undelete', { path: { id: ref.id }, body: {} });
      return settle('message.undeleted', reply);
    },
  };
};

/** Matches an upload that has not ended, or its preview on this device: nobody else could load it. */
const onItsWay = /"state":"(pending|uploading)"|"(blob|data):/;

export const createMessages = (core: Core, outbox: Outbox) => ({
  /** Takes an ephemeral message away. */
  dismiss: (ref: MessageRef): void => {
    checkRef(ref);
    dismiss(core, ref);
  },
  /**
   * Shown at once and sent in order. Resolves when stored, rejects when refused; without a network it waits. So it does
   * after `disconnect()`: it is sent when the same user connects again, and rejects when another one does.
   */
  send: (cid: string, input: MessageInput): Promise<Message> => {
    try {
      fromCid(cid);
      core.ownId();
      checkObject('message', input);
      if (onItsWay.test(JSON.stringify(input.attachments ?? []))) throw new Error(texts.uploadsPending);
    } catch (error) {
      return Promise.reject(error);
    }
    const { environment } = core;
    const id = input.id ?? environment.uuid();
    const createdAt = new Date(environment.clock.now()).toISOString();
    return outbox.add({ cid, id, input, createdAt, status: 'sending' });
  },
  /** Sends a message again that could not be sent. */
  retry: (cid: string, id: string): Promise<Message> => outbox.retry(cid, id),
  /** Forgets a message that was not sent. */
  discard: (cid: string, id: string): void => outbox.discard(cid, id),
  ...createChanges(core, outbox),
  /** Loads one message from the server. */
  get: async (id: string): Promise<Message> => {
    const reply = await core.http.call('GET /messages/{id}', { path: { id } });
    return reply.message;
  },
  ...createPages(core),
  replies: createReplies(core),
});
