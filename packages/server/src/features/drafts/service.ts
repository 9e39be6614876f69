import {
  type Draft,
  type DraftMessageInput,
  DraftMessageInputSchema,
  invalid,
  type Message,
  MessageSchema,
  ParleyError,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { isCleared, type Place, requireCapability } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { customOf, shapeOf } from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { checkAttachments, findParent } from '../messages/prepare.ts';
import { findMessages, holdMessages } from '../messages/store.ts';
import {
  type DraftContent,
  type DraftKey,
  type DraftRow,
  draftFields,
  findDraft,
  listChannelDrafts,
  ownDrafts,
  removeDraft,
  saveDraft,
} from './store.ts';

type Deps = { kernel: Kernel; access: Access; hydrate: Hydrate };
export type DraftPlace = { cid: string; parentId: string | undefined };
type Quotes = ReadonlyMap<string, Message>;
type Saved = { draft: Draft; conflict?: true };

const shape = shapeOf(DraftMessageInputSchema, MessageSchema);

const keyOf = (userId: string, { cid, parentId }: DraftPlace): DraftKey => ({
  user_id: userId,
  cid,
  parent_id: parentId ?? '',
});

const contentOf = (input: DraftMessageInput, place: Place): DraftContent => {
  const { text = '', attachments = [], mentioned_users = [], quoted_message_id } = input;
  const most = place.type.config.max_message_length;
  if (text.length > most)
    throw new ParleyError('PayloadTooLarge', `A message here may have ${most} characters`, [
      { path: 'message.text', message: `must have at most ${most} characters` },
    ]);
  if (text === '' && attachments.length === 0 && quoted_message_id === undefined)
    throw invalid('message.text', 'A draft must have text, an attachment or a quote');
  checkAttachments(attachments);
  return {
    text,
    attachments,
    mentioned: mentioned_users,
    quoted_message_id: quoted_message_id ?? null,
    data: customOf(input, shape, 'message'),
  };
};

/** The quote, if it may be shown: the id of a message elsewhere must not show what is said there. */
const quoteIn = (row: DraftRow, quotes: Quotes): Pick<Draft, 'quoted_message'> => {
  const message = quotes.get(row.quoted_message_id ?? '');
  return message?.cid === row.cid ? { quoted_message: message } : {};
};

const toDraft = (row: DraftRow, quotes: Quotes): Draft => ({
  cid: row.cid,
  ...(row.parent_id === '' ? {} : { parent_id: row.parent_id }),
  message: {
    ...row.data,
    text: row.text,
    attachments: row.attachments,
    mentioned_users: row.mentioned,
    ...(row.quoted_message_id === null ? {} : { quoted_message_id: row.quoted_message_id }),
  },
  ...quoteIn(row, quotes),
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Unsent messages of people, synced to all their devices. */
export class Drafts {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Given the version that was last seen, returns the text that another device wrote since instead of overwriting it. */
  async save(
    actor: Actor,
    at: DraftPlace,
    message: DraftMessageInput,
    version: number | undefined,
  ): Promise<Saved> {
    const { kernel } = this.#deps;
    const key = keyOf(actingUser(actor).row.id, at);
    const content = contentOf(message, await this.#enterToWrite(actor, at));
    const draft = await kernel.writeFor(actor, async (tx) => {
      const quotes = await this.#quotesOf(actor, [content], tx.db);
      const row = await saveDraft(tx.db, key, content, { version, now: tx.now });
      if (!row) return undefined;
      const saved = toDraft(row, quotes);
      tx.notify([key.user_id], 'draft.updated', { draft: saved }, at.cid);
      return saved;
    });
    if (draft) return { draft };
    const theirs = await findDraft(kernel.db, key);
    if (!theirs) return this.save(actor, at, message, version);
    return { draft: await this.#record(actor, theirs), conflict: true };
  }

  async get(actor: Actor, at: DraftPlace): Promise<Draft> {
    const key = keyOf(actingUser(actor).row.id, at);
    await this.#deps.access.enter(actor, at.cid);
    const row = await findDraft(this.#deps.kernel.db, key);
    if (!row) throw new ParleyError('NotFound', 'No draft here');
    return this.#record(actor, row);
  }

  /** Nobody needs to be able to write, or even read, where they forget what they wrote. */
  async remove(actor: Actor, at: DraftPlace, version: number | undefined): Promise<{ draft?: Draft }> {
    const { kernel } = this.#deps;
    const key = keyOf(actingUser(actor).row.id, at);
    const isRemoved = await kernel.writeFor(actor, async (tx) => {
      const row = await removeDraft(tx.db, key, version);
      if (!row) return false;
      const place = { cid: row.cid, ...(row.parent_id === '' ? {} : { parent_id: row.parent_id }) };
      const draft = { ...place, version: row.version, updated_at: tx.now };
      tx.notify([key.user_id], 'draft.deleted', { draft }, at.cid);
      return true;
    });
    if (isRemoved) return {};
    const stays = await findDraft(kernel.db, key);
    return stays ? { draft: await this.#record(actor, stays) } : {};
  }

  async query(actor: Actor, request: PageRequest) {
    const { kernel } = this.#deps;
    const userId = actingUser(actor).row.id;
    const page = await queryPage(ownDrafts(kernel.pools.queries, userId), request, {
      fields: draftFields,
      context: { actorId: userId },
      cursorKey: kernel.config.apiSecret,
    });
    return {
      drafts: await this.#records(actor, page.rows),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }

  /** The drafts of channels by cid, for their states. */
  async ofChannels(actor: Actor, userId: string, cids: string[]): Promise<Map<string, Draft>> {
    const rows = await listChannelDrafts(this.#deps.kernel.pools, userId, cids);
    return new Map((await this.#records(actor, rows)).map((draft) => [draft.cid, draft]));
  }

  async #enterToWrite(actor: Actor, { cid, parentId }: DraftPlace): Promise<Place> {
    const place = await this.#deps.access.enter(actor, cid);
    requireCapability(place, parentId === undefined ? 'send-message' : 'send-reply');
    if (parentId !== undefined) await findParent(this.#deps.kernel.db, parentId, place);
    return place;
  }

  async #record(actor: Actor, row: DraftRow): Promise<Draft> {
    const [draft] = await this.#records(actor, [row]);
    if (!draft) throw new ParleyError('Internal');
    return draft;
  }

  async #records(actor: Actor, rows: DraftRow[]): Promise<Draft[]> {
    const quotes = await this.#quotesOf(actor, rows);
    return rows.map((row) => toDraft(row, quotes));
  }

  /** A quote follows the rights of its reader at this moment: who left sees what they wrote, and nothing of the channel. */
  async #quotesOf(
    actor: Actor,
    drafts: Pick<DraftContent, 'quoted_message_id'>[],
    db: Db = this.#deps.kernel.db,
  ): Promise<Quotes> {
    const { hydrate, access } = this.#deps;
    const ids = drafts.flatMap((draft) => draft.quoted_message_id ?? []);
    if (ids.length === 0) return new Map();
    const shown: MessageRow[] = [];
    // The event of a draft must not come after the deletion of the text that it quotes.
    for (const message of await (db.isTransaction ? holdMessages : findMessages)(db, ids)) {
      const place = await access.look(actor, message.cid, db);
      if (place?.capabilities.has('read-channel') && !isCleared(place, message)) shown.push(message);
    }
    return new Map((await hydrate(db, shown)).map((message) => [message.id, message]));
  }
}
