import type { Message, Reaction, User } from '@parley/protocol';
import { isStale } from '../../bus/bus.ts';
import type { ChannelRow, MessageRow } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { UserCache } from '../users/cache.ts';
import type { MessageHooks } from './hooks.ts';
import { type Hydrate, toReaction } from './hydrate.ts';
import { findOwnReactions } from './store.ts';

/** Half of it is let go of at a time. */
const mostBytes = 64 * 1024 * 1024;
/** One page must not push out all others. */
const mostPageBytes = 1024 * 1024;

/** The newest messages of a channel as JSON, as everyone sees them, each without its closing brace: what is the reader's own follows. */
export type TextPage = {
  /** Together they name a state of the log: a channel that is made anew begins at 1 again. */
  seq: number;
  madeAt: string;
  /** How many were asked for. */
  most: number;
  ids: string[];
  times: string[];
  texts: string[];
  reactedIds: string[];
  /** The users named in the page, as they were then. */
  users: ReadonlyMap<string, User>;
  /** When a pin ends. */
  until: string | undefined;
  bytes: number;
};

const noteUser = (users: Map<string, User>, user: User | undefined): void => {
  if (user) users.set(user.id, user);
};

const usersIn = (messages: readonly Message[]): Map<string, User> => {
  const users = new Map<string, User>();
  for (const message of messages)
    for (const one of [message, message.quoted_message]) {
      if (!one) continue;
      noteUser(users, one.user);
      noteUser(users, one.pinned_by);
      for (const user of one.mentioned_users) noteUser(users, user);
      for (const user of one.thread_participants ?? []) noteUser(users, user);
      for (const { user } of one.latest_reactions) noteUser(users, user);
    }
  return users;
};

/** Votes and steps of a live location are stored before the log knows of them: such a page is read each time. */
const movesWithoutLog = ({
  poll_id,
  shared_location,
}: Pick<Message, 'poll_id' | 'shared_location'>): boolean =>
  poll_id !== undefined || shared_location !== undefined;
const isFixed = (message: Message): boolean =>
  !movesWithoutLog(message) && !(message.quoted_message && movesWithoutLog(message.quoted_message));

const earliest = (messages: readonly Message[]): string | undefined =>
  messages
    .flatMap((message) => [message.pin_expires, message.quoted_message?.pin_expires])
    .reduce(
      (first, time) => (time !== undefined && (first === undefined || time < first) ? time : first),
      undefined,
    );

type Deps = { kernel: Kernel; users: UserCache; hydrate: Hydrate; hooks: MessageHooks };
/** Rows that were read, and the epoch before. */
type Reading = { rows: MessageRow[]; most: number; epoch: number };
type Viewing = { viewerId: string | undefined; since: string | undefined; most: number };

/** The newest pages of channels that are read often, kept until anything in them changes. */
export class NewestPages {
  #deps: Deps;
  #recent = new Map<string, TextPage>();
  #older = new Map<string, TextPage>();
  #bytes = 0;
  /** Bumped by every forgetting: a page whose rows were read before it must not be kept after it. */
  #epoch = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.kernel.bus.subscribe((event) => {
      if (!isStale(event, 'channel')) return;
      if (event.what === 'everything') this.#forgetAll();
      else this.#forget(event.key);
    });
  }

  /** The count of forgettings; read it before the rows of a page. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Forgets a channel that changes before its log does, such as one whose messages are removed in steps. */
  #forget(cid: string): void {
    this.#epoch += 1;
    this.#bytes -= this.#recent.get(cid)?.bytes ?? 0;
    this.#recent.delete(cid);
    this.#older.delete(cid);
  }

  #forgetAll(): void {
    this.#epoch += 1;
    this.#bytes = 0;
    this.#recent.clear();
    this.#older.clear();
  }

  /** The page of the channel as the row has it, if it is kept and still true. */
  find(row: ChannelRow, most: number): TextPage | undefined {
    const page = this.#recent.get(row.cid) ?? this.#older.get(row.cid);
    if (!page || page.seq !== row.seq || page.madeAt !== row.created_at) return undefined;
    if (page.most < most && page.texts.length >= page.most) return undefined;
    if (page.until !== undefined && page.until <= this.#deps.kernel.now()) return undefined;
    for (const [id, user] of page.users) if (this.#deps.users.peek(id)?.user !== user) return undefined;
    if (!this.#recent.has(row.cid)) this.#keep(row.cid, page);
    return page;
  }

  /** Makes the page from rows that were read after the channel's; undefined where it cannot be kept. */
  async make(row: ChannelRow, { rows, most, epoch }: Reading): Promise<TextPage | undefined> {
    if (rows.some(({ poll_id, has_location }) => poll_id !== null || has_location)) return undefined;
    const messages = await this.#deps.hydrate(this.#deps.kernel.db, rows);
    if (!messages.every(isFixed)) return undefined;
    const texts = messages.map((message) => JSON.stringify(message).slice(0, -1));
    const page: TextPage = {
      seq: row.seq,
      madeAt: row.created_at,
      most,
      ids: messages.map(({ id }) => id),
      times: messages.map(({ created_at }) => created_at),
      texts,
      reactedIds: messages.flatMap(({ id, latest_reactions }) => (latest_reactions.length > 0 ? [id] : [])),
      users: usersIn(messages),
      until: earliest(messages),
      bytes: texts.reduce((sum, text) => sum + 2 * text.length + 100, 500),
    };
    if (page.bytes <= mostPageBytes && epoch === this.#epoch) this.#keep(row.cid, page);
    return page;
  }

  /** The page as one person sees it, as a JSON array. */
  async textFor(db: Db, page: TextPage, { viewerId, since, most }: Viewing): Promise<string> {
    const first = Math.max(0, page.texts.length - most);
    const isSeen = (index: number) =>
      index >= first && (since === undefined || (page.times[index] ?? '') > since);
    const more = viewerId === undefined ? undefined : await this.#personalOf(db, page, viewerId);
    const shown: string[] = [];
    for (const [index, text] of page.texts.entries()) {
      if (!isSeen(index)) continue;
      const own = more?.get(page.ids[index] ?? '');
      if (own) shown.push(`${text},${JSON.stringify(own).slice(1)}`);
      else shown.push(viewerId === undefined ? `${text}}` : `${text},"own_reactions":[]}`);
    }
    return `[${shown.join(',')}]`;
  }

  /** The fields that differ for this reader, by the id of the message. */
  async #personalOf(
    db: Db,
    page: TextPage,
    viewerId: string,
  ): Promise<ReadonlyMap<string, Partial<Message>>> {
    const { users, hooks } = this.#deps;
    const personal = hooks.personal.answers;
    const own = new Map<string, Partial<Message> & { own_reactions: Reaction[] }>();
    const of = (id: string) => {
      const known = own.get(id) ?? { own_reactions: [] };
      own.set(id, known);
      return known;
    };
    if (page.reactedIds.length > 0) {
      const rows = await findOwnReactions(db, page.reactedIds, viewerId);
      const found = rows.length > 0 ? await users.getMany(db, [viewerId]) : new Map();
      for (const row of rows) of(row.message_id).own_reactions.push(toReaction(row, found));
    }
    const viewer = personal.length === 0 ? undefined : await users.get(db, viewerId);
    if (!viewer) return own;
    for (const hook of personal)
      for (const [id, added] of (await hook(db, viewer, page.ids)) ?? []) Object.assign(of(id), added);
    return own;
  }

  /** Pages are kept in two generations: what is not asked for while the younger one fills goes with the older. */
  #keep(cid: string, page: TextPage): void {
    const known = this.#recent.get(cid);
    this.#bytes += page.bytes - (known?.bytes ?? 0);
    this.#recent.set(cid, page);
    this.#older.delete(cid);
    if (this.#bytes < mostBytes / 2) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#bytes = 0;
  }
}
