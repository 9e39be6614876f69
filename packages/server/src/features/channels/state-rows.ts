import type { Draft, MessageWindow } from '@parley/protocol';
import { type Actor, actorId, type UserEntry } from '../../auth/actor.ts';
import type { ChannelRow, MemberRow, MessageRow } from '../../db/rows.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Drafts } from '../drafts/service.ts';
import { listFirstMembers, listMemberships } from '../members/store.ts';
import type { NewestPages, TextPage } from '../messages/newest-pages.ts';
import { listPending } from '../messages/pending-store.ts';
import { listMessages, listNewest, listPinned } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';
import { findSeldom } from './store.ts';

export type StateOptions = {
  watch?: boolean | undefined;
  state?: boolean | undefined;
  presence?: boolean | undefined;
  messageLimit: number;
  memberLimit: number;
  /** Set for a reply with one channel, made by `stateJson`: its messages may stand there as text only. */
  asText?: boolean | undefined;
  /** A window into one channel's messages; otherwise the newest. */
  window?: MessageWindow | undefined;
};

type Deps = { kernel: Kernel; drafts: Drafts; users: UserCache; pages: NewestPages };

/** The rows that the states of a page of channels are built from. */
export type Loaded = {
  members: Map<string, MemberRow[]>;
  messages: Map<string, MessageRow[]>;
  pinned: Map<string, MessageRow[]>;
  pending: Map<string, MessageRow[]>;
  found: ReadonlyMap<string, UserEntry>;
  drafts: ReadonlyMap<string, Draft>;
  /** How many watch each channel on other servers. */
  watchersElsewhere: ReadonlyMap<string, number>;
  /** The messages as text, of the only channel. */
  page?: { text: TextPage; most: number } | undefined;
};

const groupByCid = <T extends { cid: string }>(rows: T[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const list = groups.get(row.cid);
    if (list) list.push(row);
    else groups.set(row.cid, [row]);
  }
  return groups;
};

/** A member who cleared the history sees only the messages since. */
const sinceCleared = (rows: MessageRow[], members: MemberRow[], viewerId: string | undefined) => {
  const own = members.filter((row) => row.user_id === viewerId && row.cleared_at !== null);
  if (own.length === 0) return rows;
  const since = new Map(own.map((row) => [row.cid, row.cleared_at ?? '']));
  return rows.filter((row) => row.created_at > (since.get(row.cid) ?? ''));
};

const viewerOf = (actor: Actor): string | undefined =>
  actor.kind === 'anonymous' ? undefined : actorId(actor);
const hasPosition = (window: MessageWindow): boolean => Object.keys(window).some((key) => key !== 'limit');
const none = new Map();
const nothing: Loaded = {
  members: none,
  messages: none,
  pinned: none,
  pending: none,
  found: none,
  drafts: none,
  watchersElsewhere: none,
};

/** Reads the rows that the states of channels are built from, in as few round trips as their parts allow. */
export class StateRows {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async load(
    actor: Actor,
    rows: ChannelRow[],
    options: StateOptions,
  ): Promise<Omit<Loaded, 'watchersElsewhere'>> {
    const viewerId = viewerOf(actor);
    const { kernel, users } = this.#deps;
    const cids = rows.map((row) => row.cid);
    const [members, { messages, page }, { pinned, pending, drafts }] = await Promise.all([
      listFirstMembers(kernel.pools, cids, options.memberLimit, viewerId),
      this.#loadMessages(rows, options),
      this.#loadSeldom(actor, cids),
    ]);
    const found = await users.getMany(
      kernel.db,
      members.map((row) => row.user_id),
    );
    return {
      members: groupByCid(members),
      messages: groupByCid(sinceCleared(messages, members, viewerId)),
      pinned: groupByCid(sinceCleared(pinned, members, viewerId)),
      pending: groupByCid(pending),
      found,
      drafts,
      page,
    };
  }

  /** The rows of the messages, or the page as text where one is kept or can be made. */
  async #loadMessages(
    rows: ChannelRow[],
    { window, messageLimit: most, asText }: StateOptions,
  ): Promise<{ messages: MessageRow[]; page?: Loaded['page'] }> {
    const { kernel, pages } = this.#deps;
    const [only] = rows;
    if (window && only && hasPosition(window))
      return { messages: await listMessages(kernel.pools.pages, { cid: only.cid }, window, most) };
    const kept = asText && only ? pages.find(only, most) : undefined;
    if (kept) return { messages: [], page: { text: kept, most } };
    const cids = rows.map((row) => row.cid);
    const { epoch } = pages;
    const messages = await listNewest(kernel.pools, cids, most);
    const text = asText && only ? await pages.make(only, { rows: messages, most, epoch }) : undefined;
    return text ? { messages: [], page: { text, most } } : { messages };
  }

  /** Pins, pending messages and drafts: most channels have none, so one question finds out which there are to read. */
  async #loadSeldom(actor: Actor, cids: string[]) {
    const viewerId = viewerOf(actor);
    const { kernel, drafts } = this.#deps;
    const has = await findSeldom(kernel.pools, cids, viewerId);
    const [pinned, pending, own] = await Promise.all([
      has?.pins ? listPinned(kernel.pools, cids, kernel.now()) : [],
      has?.pending && viewerId !== undefined ? listPending(kernel.pools, viewerId, cids) : [],
      has?.drafts && viewerId !== undefined ? drafts.ofChannels(actor, viewerId, cids) : nothing.drafts,
    ]);
    return { pinned, pending, drafts: own };
  }

  /** The rows for a client that only watches again: nobody's but their own. */
  async loadOwn(actor: Actor, cids: string[]): Promise<Loaded> {
    const viewerId = viewerOf(actor);
    if (viewerId === undefined) return nothing;
    const { kernel, users } = this.#deps;
    const members = await listMemberships(kernel.pools, viewerId, cids);
    const pending = groupByCid(await listPending(kernel.pools, viewerId, cids));
    return {
      ...nothing,
      pending,
      members: groupByCid(members),
      found: await users.getMany(kernel.db, [viewerId]),
    };
  }
}
