import { type Message, type MessageInput, ParleyError } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import { ReadyJson } from '../../http/ready-json.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import type { AttachmentRules } from '../attachments/attachment-rules.ts';
import type { UserCache } from '../users/cache.ts';
import { createMessageRow } from './message-row.ts';
import { deletePending, findPending, insertPending, type PendingRow } from './pending-store.ts';
import { type Prepared, refuseLocation } from './prepare.ts';
import { lockForSend } from './send-alone.ts';
import { duplicateId, isRepeat, isSameOwner, ownerOf } from './send-rules.ts';
import { findTaken } from './send-store.ts';
import type { Messages } from './service.ts';
import { holdMessages } from './store.ts';

type Deps = { kernel: Kernel; messages: Messages; attachmentRules: AttachmentRules; users: UserCache };
type Kept = { row?: PendingRow; held?: Message };
const answer = (message: Message, status: number) => new ReadyJson(JSON.stringify({ message }), status);

/** Notifies the author's other devices, and nobody else. */
const notifyAuthor = (tx: Tx, type: string, message: Message, { user_id, cid }: PendingRow): void =>
  tx.notify([user_id], type, { message }, cid);

/** Messages that only their author sees until they are committed. They have no number and no place in the log. */
export class PendingMessages {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Keeps a message back. The same id from the same author again gives the kept or the published one, with 200. */
  async hold(actor: Actor, cid: string, input: MessageInput): Promise<ReadyJson> {
    const { messages } = this.#deps;
    refuseLocation(input);
    const { message } = await messages.prepare(actor, cid, input);
    const { user_id } = ownerOf(message);
    const { row, held } = await this.#keep(actor, message, input);
    if (!row) {
      const { row: published } = await messages.find(actor, message.id);
      return answer(await messages.one(published, user_id), 200);
    }
    if (!held) return answer(await this.#one(actor, row), 200);
    await this.#refuseTaken(row, held);
    return answer(held, 201);
  }

  /** The channel's lock is held: a message of this id is stored before, and refuses this one, or finds the id reserved. No row where
   * the message was published already; `held` is the message that is new. */
  async #keep(actor: Actor, message: Prepared, input: MessageInput): Promise<Kept> {
    const { id } = message;
    const asked = ownerOf(message);
    const isQuoteShown = await this.#maySee(actor, message.quoted?.id ?? null);
    return this.#deps.kernel.writeFor(actor, async (tx) => {
      await lockForSend(tx, message);
      if (await isRepeat(tx.db, message, 'pending')) return {};
      const draft = createMessageRow(message, { seq: 0, last_number: 0, last_message_at: null }, tx.now);
      const kept = await insertPending(tx.db, {
        ...asked,
        id,
        input: JSON.stringify({ ...input, id }),
        draft: JSON.stringify({ ...draft, number: 0, seq: 0 }),
        created_at: draft.created_at,
      });
      const row = kept ?? (await findPending(tx.db, id));
      if (!row || !isSameOwner(row, asked)) throw duplicateId(id);
      if (!kept) return { row };
      const held = await this.#shown(row, isQuoteShown, tx.db);
      notifyAuthor(tx, 'notification.pending_message', held, row);
      return { row, held };
    });
  }

  /** A send in another channel waits for another lock: one that was stored while this message was kept has the id. */
  async #refuseTaken(row: PendingRow, held: Message): Promise<void> {
    const taken = await findTaken(this.#deps.kernel.db, row.id);
    if (!taken || isSameOwner(taken, row)) return;
    await this.#delete(row, held.quoted_message !== undefined);
    throw duplicateId(row.id);
  }

  /** The message as it was; undefined where it is gone already. */
  #delete(row: PendingRow, isQuoteShown: boolean): Promise<Message | undefined> {
    return this.#deps.kernel.write(async (tx) => {
      if (!(await deletePending(tx.db, row.id))) return undefined;
      // The quoted message stays as it is until the author is notified: the event must not come after a deletion of that text.
      if (row.draft.quoted_message_id !== null) await holdMessages(tx.db, [row.draft.quoted_message_id]);
      const message = await this.#shown(row, isQuoteShown, tx.db);
      notifyAuthor(tx, 'notification.pending_message_deleted', message, row);
      return message;
    });
  }

  /** Publishes under the rules of this moment, as the author. A repeat gives the published message, with 200. */
  async commit(actor: Actor, id: string): Promise<ReadyJson> {
    const { kernel, messages, attachmentRules, users } = this.#deps;
    const row = await this.#own(actor, id);
    if (!row) {
      const { row: published } = await messages.find(actor, id);
      if (actor.kind !== 'server' && published.user_id !== actorId(actor))
        throw new ParleyError('NotAllowed', 'Only the author may commit a message');
      return answer(await messages.one(published, published.user_id), 200);
    }
    const author = await users.get(kernel.db, row.user_id);
    const asAuthor: Actor = actor.kind === 'server' ? { kind: 'server', user: author } : actor;
    const input = row.input;
    // The server says when, and not which files: those the author chose, who may have lost sight of one meanwhile.
    if (actor.kind === 'server' && author)
      await attachmentRules.check({ kind: 'user', user: author }, input.attachments ?? []);
    return messages.send(asAuthor, row.cid, input, 'pending');
  }

  /** The pending message, for its author and the server; undefined for everyone else. */
  async get(actor: Actor, id: string): Promise<Message | undefined> {
    const row = await this.#own(actor, id);
    return row && this.#one(actor, row);
  }

  /** Drops a pending message; undefined when there is none of the actor's. */
  async discard(actor: Actor, id: string): Promise<Message | undefined> {
    const row = await this.#own(actor, id);
    if (!row) return undefined;
    // One that was published in between is deleted as every message is.
    return this.#delete(row, await this.#maySee(actor, row.draft.quoted_message_id));
  }

  async #own(actor: Actor, id: string): Promise<PendingRow | undefined> {
    const row = await findPending(this.#deps.kernel.db, id);
    return actor.kind === 'server' || row?.user_id === actorId(actor) ? row : undefined;
  }

  /** Its quote follows the rights of who reads it now: who left the channel sees what they wrote, and nothing of the others. */
  async #one(actor: Actor, row: PendingRow): Promise<Message> {
    return this.#shown(row, await this.#maySee(actor, row.draft.quoted_message_id));
  }

  async #maySee(actor: Actor, quotedId: string | null): Promise<boolean> {
    return quotedId === null || this.#deps.messages.maySee(actor, quotedId);
  }

  async #shown({ draft, user_id }: PendingRow, isQuoteShown: boolean, db?: Tx['db']): Promise<Message> {
    const { quoted_message_id } = draft;
    const seen = isQuoteShown ? draft : { ...draft, quoted_message_id: null };
    const message = await this.#deps.messages.one(seen, user_id, db);
    return { ...message, ...(quoted_message_id === null ? {} : { quoted_message_id }), pending: true };
  }
}
