import type { Message, MessageInput } from '@parley/protocol';
import { texts } from '@parley/protocol/errors';
import { limits } from '@parley/protocol/limits';
import { checkObject, checkRef, fromCid } from '../../cid.ts';
import type { Confirmed, Core } from '../../core.ts';
import { notOurs } from '../../http/error-reply.ts';
import { NetworkError } from '../../http/network-error.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';
import { createOutbox, type Outbox, type OutboxEntry } from '../../sync/outbox.ts';
import { internReply } from '../../sync/snapshot.ts';
import type { MessageRef } from '../../sync/state.ts';
import { during } from '../../sync/store.ts';
import { createPages } from './pages.ts';
import { changeOp, editOp, removeOp, sendKey, sendOp } from './pending.ts';
import { dismiss } from './private-messages.ts';
import { findLoaded, mapLoaded } from './reducer.ts';
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
      // Whoever answered in place of the server has stored nothing.
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

/** Asks for the own reactions of a message that came back with more reactions than are shown; returns its stop. */
export const followUndeleted = (core: Core): Unsubscribe =>
  core.events.on(
    'message.undeleted',
    async ({ cid = '', message: { id, reaction_counts, latest_reactions } }) => {
      const count = Object.values(reaction_counts).reduce((sum, one) => sum + one, 0);
      const state = core.store.confirmed(cid);
      if (count <= latest_reactions.length || !state || !findLoaded(state, id)) return;
      await askQuietly(core, 'Own reactions', async () => {
        const { message } = await core.http.call('GET /messages/{id}', { path: { id } });
        const { own_reactions = [] } = message;
        core.store.update(cid, (now) => mapLoaded(now, id, (known) => ({ ...known, own_reactions })));
      });
    },
  );

/** Asks for the pins that a full list left out, once one of those shown is gone; returns its stop. */
export const followPins = (core: Core): Unsubscribe => {
  const ask = async (cid: string) => {
    if (core.store.confirmed(cid)?.pinned.length !== limits.pinnedShown - 1) return;
    await askQuietly(core, 'Pins', async () => {
      const reply = await core.http.call('POST /channels/{type}/{id}/query', {
        cid,
        body: { state: true, watch: false, members: { limit: 0 }, messages: { limit: 1 } },
      });
      const pinned = internReply(reply.pinned_messages, cid, core.users);
      core.store.update(cid, (now) => ({ ...now, pinned }));
    });
  };
  return core.events.listen({
    'message.updated': ({ cid = '', unpinned }) => void (unpinned && ask(cid)),
    'message.deleted': ({ cid = '', message }) => void (message.pinned && ask(cid)),
  });
};

/** The drawn message is the one that `send` will store: an edit before that changes what is sent. */
const editWaiting = (outbox: Outbox, { cid, id }: MessageRef, edit: MessageEdit): boolean => {
  const entry = outbox.find(cid, id);
  if (entry?.status !== 'failed') return false;
  entry.input = { ...entry.input, ...edit } as MessageInput;
  return true;
};

type Reply = { message: Message; seq?: number };

const settler =
  (core: Core) =>
  (type: Confirmed['type'], reply: Reply, hard_delete = false): Message => {
    const { message } = reply;
    core.confirm({ type, cid: message.cid, message, hard_delete } as Confirmed, reply.seq);
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
      return during(
        core.store,
        ref.cid,
        editOp(nextKey('edit', ref), ref, edit as MessageInput),
        async () => {
          await outbox.settled(ref.cid, ref.id);
          const reply = await http.call('PUT /messages/{id}', {
            path: { id: ref.id },
            body: { message: edit },
          });
          return settle('message.updated', reply);
        },
      );
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

/** What only this device knows: an upload that has not ended, or what a page shows of it meanwhile. */
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
