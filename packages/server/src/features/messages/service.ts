import { type Message, type MessageInput, type MessageWindow, ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { isCleared, type Place } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import { ReadyJson } from '../../http/ready-json.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import type { AttachmentRules } from '../attachments/attachment-rules.ts';
import type { Mentions } from '../mentions/service.ts';
import type { GroupCommit } from './group-commit.ts';
import type { MessageHooks } from './hooks.ts';
import type { Hydrate } from './hydrate.ts';
import { type MessageEvent, publishMessage } from './message-event.ts';
import { type Prepared, prepareMessage } from './prepare.ts';
import { sendAlone } from './send-alone.ts';
import { findMessage, findMessages, listMessages } from './store.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  mentions: Mentions;
  attachmentRules: AttachmentRules;
  hydrate: Hydrate;
  groupCommit: GroupCommit;
  hooks: MessageHooks;
};

/** Sends messages and finds them. */
export class Messages {
  readonly hooks: MessageHooks;
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.hooks = deps.hooks;
  }

  /** Sends a message. The same id from the same author again gives the stored one, with 200. `as` a pending message, it takes that
   * one's place. */
  async send(actor: Actor, cid: string, input: MessageInput, as?: 'pending'): Promise<ReadyJson> {
    const { groupCommit } = this.#deps;
    const { place, message } = await this.prepare(actor, cid, input);
    const cooldown = place.capabilities.has('skip-slow-mode') ? 0 : place.channel.cooldown;
    const authorId = message.author.row.id;
    if (as || message.parent || message.quoted || message.pollId || message.location || cooldown > 0) {
      const row = await sendAlone(this.#deps, message, { cooldown, ...(as && { as }) });
      return row ? this.#answer(row, authorId, 201) : this.#repeat(message.id, authorId);
    }
    const sent = await groupCommit.send(message);
    if ('repeated' in sent) return this.#repeat(message.id, authorId);
    return new ReadyJson(`{"seq":${sent.seq},"message":{"own_reactions":[],${sent.json.slice(1)}}`, 201);
  }

  /** Refuses what `send` would refuse, for who must know it before they change something else. */
  async check(actor: Actor, cid: string, input: MessageInput): Promise<void> {
    await this.prepare(actor, cid, input);
  }

  /** A message and the place it is in, for someone who may read there. */
  async find(actor: Actor, id: string): Promise<{ row: MessageRow; place: Place }> {
    const row = await findMessage(this.#deps.kernel.db, id);
    if (!row) throw new ParleyError('NotFound', `No message ${id}`);
    return { row, place: await this.#deps.access.enter(actor, row.cid) };
  }

  /** The same for who wants to read it: not what they have cleared from their history. */
  async see(actor: Actor, id: string): Promise<{ row: MessageRow; place: Place }> {
    const { row, place } = await this.find(actor, id);
    if (isCleared(place, row)) throw new ParleyError('NotFound', `No message ${id}`);
    return { row, place };
  }

  async maySee(actor: Actor, id: string): Promise<boolean> {
    const row = await findMessage(this.#deps.kernel.db, id);
    if (!row) return false;
    const place = await this.#deps.access.look(actor, row.cid);
    return place?.capabilities.has('read-channel') === true && !isCleared(place, row);
  }

  async get(actor: Actor, id: string): Promise<Message> {
    const { row } = await this.see(actor, id);
    return this.one(row, actorId(actor));
  }

  async byIds(actor: Actor, cid: string, ids: string[]): Promise<Message[]> {
    const place = await this.#deps.access.enter(actor, cid);
    const rows = await findMessages(this.#deps.kernel.db, ids, [cid]);
    return this.#many(
      actor,
      rows.filter((row) => !isCleared(place, row)),
    );
  }

  async replies(actor: Actor, id: string, window: MessageWindow, fallback: number): Promise<Message[]> {
    const { cid } = (await this.see(actor, id)).row;
    const rows = await listMessages(this.#deps.kernel.pools.pages, { cid, parentId: id }, window, fallback);
    return this.#many(actor, rows);
  }

  /** A row as its viewer sees it. Inside a transaction it is given the handle of that. */
  async one(row: MessageRow, viewerId: string | undefined, db = this.#deps.kernel.db): Promise<Message> {
    const [message] = await this.#deps.hydrate(db, [row], viewerId);
    if (!message) throw new ParleyError('Internal');
    return message;
  }

  publishEvent(tx: Tx, event: MessageEvent): Promise<void> {
    return publishMessage(tx, this.#deps.hydrate, event);
  }

  /** Checks a new message against every rule, and against those of the features below. */
  async prepare(
    actor: Actor,
    cid: string,
    input: MessageInput,
  ): Promise<{ place: Place; message: Prepared }> {
    const { kernel, access, mentions, attachmentRules, hooks } = this.#deps;
    const place = await access.enter(actor, cid);
    const message = await prepareMessage({ db: kernel.db, mentions, attachmentRules }, actor, place, input);
    for (const check of hooks.beforeSend.answers) await check(actor, place, message);
    return { place, message };
  }

  async #repeat(id: string, authorId: string): Promise<ReadyJson> {
    const row = await findMessage(this.#deps.kernel.db, id);
    if (!row) throw new ParleyError('NotFound', `No message ${id}`);
    return this.#answer(row, authorId, 200);
  }

  async #answer(row: MessageRow, viewerId: string, status: 200 | 201): Promise<ReadyJson> {
    return new ReadyJson(JSON.stringify({ seq: row.seq, message: await this.one(row, viewerId) }), status);
  }

  #many(actor: Actor, rows: MessageRow[]): Promise<Message[]> {
    return this.#deps.hydrate(this.#deps.kernel.db, rows, actorId(actor));
  }
}
