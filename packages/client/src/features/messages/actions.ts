import type { Attachment, Message, MessageInput } from '@parley/protocol';
import { invalid, ParleyError, texts } from '@parley/protocol/errors';
import { checkObject, checkRef, fromCid } from '../../cid.ts';
import type { Core } from '../../core.ts';
import { notOurs } from '../../http/error-reply.ts';
import { NetworkError } from '../../http/network-error.ts';
import { late } from '../../load-late.ts';
import { createOutbox, type Outbox, type OutboxEntry } from '../../sync/outbox.ts';
import type { MessageRef } from '../../sync/state.ts';
import type { MessageEdit } from './calls.ts';
import { createPages } from './pages.ts';
import { sendKey, sendOp } from './pending.ts';
import { dismiss } from './private-messages.ts';
import { createReplies } from './replies.ts';

/** The outbox of a client: what is drawn while it waits is an overlay, what was stored is confirmed. */
export const createMessageOutbox = (core: Core): Outbox => {
  const { finish } = late(core, 'editedSends', 'finish');
  const changed = (entry: OutboxEntry, isOver: boolean) => {
    if (isOver) core.store.removeOp(entry.cid, sendKey(entry.id));
    else core.store.putOp(entry.cid, sendOp(entry, core.ownUser()));
    for (const listener of core.afterOutbox) listener(entry, isOver);
  };
  const post = async (entry: OutboxEntry): Promise<Message> => {
    const body = { message: { ...entry.input, id: entry.id } };
    const { cid } = entry;
    const reply = await core.http.call('POST /channels/{type}/{id}/message', { cid, body });
    const message = reply.message;
    // An answer in place of the server's means that nothing was stored.
    if (!message?.id) throw new NetworkError(notOurs());
    entry.seq = reply.seq;
    return message;
  };
  return createOutbox({
    clock: core.environment.clock,
    random: core.environment.random,
    deliver: (entry) => (entry.isEdited ? finish(entry, post) : post(entry)),
    onChange: (entry) => changed(entry, false),
    onSent: (entry, message) => {
      try {
        core.confirm({ type: 'message.new', cid: entry.cid, message }, entry.seq);
      } catch (error) {
        core.log.error('A message could not be shown', error);
      }
      changed(entry, true);
    },
    onGone: (entry) => changed(entry, true),
  });
};

/** A message that waits is changed where it waits: it is sent as it is then. What the edit leaves out is taken away. */
const editWaiting = async (outbox: Outbox, entry: OutboxEntry, edit: object): Promise<Message> => {
  const fixed = Object.entries(entry.input).filter(
    ([name]) => !/^(text|attachments|mentioned_.*)$/.test(name),
  );
  entry.input = Object.fromEntries(fixed);
  entry.isEdited = true;
  outbox.change(entry, edit);
  const message = await outbox.retry(entry.cid, entry.id);
  if (entry.refusal) throw entry.refusal;
  return message;
};

const createChanges = (core: Core, outbox: Outbox) => {
  const changes = late(core, 'messages', 'get patch pin unpin undelete jumpTo edit delete');
  const find = (ref: MessageRef) => {
    core.ownId();
    checkRef(ref);
    return outbox.find(ref.cid, ref.id);
  };
  return {
    ...changes,
    /** Changes some fields of a message. A new text of one that waits is changed where it waits, and has the mentions that are given. */
    patch: async (ref: MessageRef, set: Record<string, unknown>, unset?: string[]): Promise<Message> => {
      const entry = find(ref);
      if (!entry || !('text' in set)) return changes.patch(ref, set, unset);
      return editWaiting(outbox, entry, { attachments: entry.input.attachments, ...set });
    },
    /** Replaces what the author said. A message that waits to be sent, or failed, is changed where it waits, and sent. */
    edit: async (ref: MessageRef, edit: MessageEdit): Promise<Message> => {
      const entry = find(ref);
      checkObject('message', edit);
      return entry ? editWaiting(outbox, entry, edit) : changes.edit(ref, edit);
    },
    /** Softly by default: a tombstone stays; `hard` removes it for good. */
    delete: async (ref: MessageRef, options?: { hard?: boolean }): Promise<void> => {
      find(ref);
      const isUnsent = outbox.findUnsent(ref.cid, ref.id);
      return isUnsent ? outbox.discard(ref.cid, ref.id) : changes.delete(ref, options);
    },
  };
};

type Rest = () => Promise<Partial<MessageInput>>;

/** How a message is sent. */
export type SendOptions = {
  /** Gives what the message lacks, such as the attachments of uploads that run. Until then it is shown as it is, and the messages after it
   * wait. If it throws, the message has failed, and a retry calls it again; after a `NetworkError` that happens by itself. */
  rest?: Rest;
};

/** Whether it is an upload that has not ended, or its preview on this device: nobody else could load it. Products may give other
 * kinds of attachments a state of their own. */
const isOnItsWay = ({ type = 'file', state, ...one }: Attachment & { state?: unknown }): boolean =>
  'upload_id' in one ||
  /^(image|file|video|audio) (pending|uploading)$/.test(`${type} ${state}`) ||
  [one.image_url, one.asset_url, one.thumb_url].some((url) => /^(blob|data):/.test(String(url)));

const checkUploads = ({ attachments = [] }: Partial<MessageInput>): void => {
  if (attachments.some(isOnItsWay)) throw invalid('attachments', texts.uploadsPending);
};

/** Errors of the product's own code are not the network's: trying again would fail again, and hold the messages after it. */
const completed =
  (rest: Rest): Rest =>
  async () => {
    try {
      const given = await rest();
      checkUploads(given);
      return given;
    } catch (error) {
      if (error instanceof ParleyError || error instanceof NetworkError) throw error;
      throw new ParleyError('InputInvalid', error instanceof Error ? error.message : String(error));
    }
  };

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
  send: (cid: string, input: MessageInput, { rest }: SendOptions = {}): Promise<Message> => {
    try {
      fromCid(cid);
      core.ownId();
      checkObject('message', input);
      if (!rest) checkUploads(input);
    } catch (error) {
      return Promise.reject(error);
    }
    const { environment } = core;
    const id = input.id ?? environment.uuid();
    const createdAt = new Date(environment.clock.now()).toISOString();
    return outbox.add({ cid, id, input, createdAt, status: 'sending', rest: rest && completed(rest) });
  },
  /** Sends a message again that could not be sent. */
  retry: (cid: string, id: string): Promise<Message> => outbox.retry(cid, id),
  /** Forgets a message that was not sent. */
  discard: (cid: string, id: string): void => outbox.discard(cid, id),
  ...createChanges(core, outbox),
  ...createPages(core),
  replies: createReplies(core),
});
