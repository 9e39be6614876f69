import { type Message, type MessageInput, ParleyError } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import { ReadyJson } from '../../http/ready-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { AttachmentRules } from '../attachments/attachment-rules.ts';
import type { UserCache } from '../users/cache.ts';
import { createMessageRow } from './message-row.ts';
import { deletePending, findPending, insertPending, type PendingRow } from './pending-store.ts';
import { type Prepared, refuseLocation } from './prepare.ts';
import { lockForSend } from './send-alone.ts';
import { duplicateId, isRepeat, isSameOwner, ownerOf } from './send-rules.ts';
import { findTaken } from './send-store.ts';
import type { Messages } from './service.ts';

type Deps = { kernel: Kernel; messages: Messages; attachmentRules: AttachmentRules; users: UserCache };
const answer = (message: Message, status: number) => new ReadyJson(JSON.stringify({ message }), status);

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
    const { row, isNew } = await this.#keep(actor, message, input);
    if (!row) {
      const { row: published } = await messages.find(actor, message.id);
      return answer(await messages.one(published, user_id), 200);
    }
    if (isNew) await this.#refuseTaken(row);
    const held = await this.#one(actor, row);
    if (isNew) this.#notify('notification.pending_message', held, user_id);
    return answer(held, isNew ? 201 : 200);
  }

  /** The channel's lock is held: a message of this id is stored before, and refuses this one, or finds the id reserved. No row where
   * the message was published already. */
  #keep(actor: Actor, message: Prepared, input: MessageInput) {
    const { id } = message;
    const asked = ownerOf(message);
    return this.#deps.kernel.writeFor(actor, async (tx) => {
      await lockForSend(tx, message);
      if (await isRepeat(tx.db, message, 'pending')) return { row: undefined, isNew: false };
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
      return { row, isNew: kept !== undefined };
    });
  }

  /** A send in another channel waits for another lock: one that was stored while this message was kept has the id. */
  async #refuseTaken(row: PendingRow): Promise<void> {
    const { db } = this.#deps.kernel;
    const taken = await findTaken(db, row.id);
    if (!taken || isSameOwner(taken, row)) return;
    await deletePending(db, row.id);
    throw duplicateId(row.id);
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
    const message = await this.get(actor, id);
    // One that was published in between is deleted as every message is.
    if (!message || !(await deletePending(this.#deps.kernel.db, id))) return undefined;
    if (message.user) this.#notify('notification.pending_message_deleted', message, message.user.id);
    return message;
  }

  /** Notifies the author's other devices, and nobody else. */
  #notify(type: string, message: Message, userId: string): void {
    this.#deps.kernel.notify([userId], type, { message }, message.cid);
  }

  async #own(actor: Actor, id: string): Promise<PendingRow | undefined> {
    const row = await findPending(this.#deps.kernel.db, id);
    return actor.kind === 'server' || row?.user_id === actorId(actor) ? row : undefined;
  }

  /** Its quote follows the rights of who reads it now: who left the channel sees what they wrote, and nothing of the others. */
  async #one(actor: Actor, row: PendingRow): Promise<Message> {
    const { messages } = this.#deps;
    const draft = row.draft;
    const quotedId = draft.quoted_message_id;
    const isShown = quotedId === null || (await messages.maySee(actor, quotedId));
    const message = await messages.one(isShown ? draft : { ...draft, quoted_message_id: null }, row.user_id);
    return { ...message, ...(quotedId === null ? {} : { quoted_message_id: quotedId }), pending: true };
  }
}
