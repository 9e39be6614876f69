import {
  type Channel,
  type ChannelStateReply,
  type Draft,
  fidelityOf,
  type Member,
  type Message,
  type MessageWindow,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import type { Place } from '../../access/place.ts';
import { type Actor, actorId, type UserEntry } from '../../auth/actor.ts';
import type { ChannelRow, MemberRow, MessageRow } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import type { Watcher } from '../../hub/connection.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { preferencesOf } from '../channel-preferences/record.ts';
import type { Drafts } from '../drafts/service.ts';
import { toMember, toOwnMember } from '../members/record.ts';
import { listFirstMembers, listMemberships } from '../members/store.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { NewestPages, TextPage } from '../messages/newest-pages.ts';
import { listPending } from '../messages/pending-store.ts';
import { listMessages, listNewest, listPinned } from '../messages/store.ts';
import { toRead } from '../reads/record.ts';
import { countReads } from '../reads/store.ts';
import type { UserCache } from '../users/cache.ts';
import { followedBy, notShown } from './followed.ts';
import { toChannel, toOwnChannel } from './record.ts';
import { type FoundChannel, findChannels, findSeldom } from './store.ts';
import { watchersOf } from './watchers.ts';

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

type Deps = {
  kernel: Kernel;
  drafts: Drafts;
  access: Access;
  users: UserCache;
  presence: Presence;
  hydrate: Hydrate;
  pages: NewestPages;
  hub: Hub;
};

/** The rows that the states of a page of channels are built from. */
type Loaded = {
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
const server: Actor = { kind: 'server', user: undefined };
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

const pageTexts = new WeakMap<ChannelStateReply, string>();

/** The reply with a state as JSON; with `asText` its messages may be nowhere else. */
export const stateJson = (state: ChannelStateReply): string => {
  const text = pageTexts.get(state);
  if (text === undefined) return JSON.stringify(state);
  const { messages: _, ...rest } = state;
  return `{"messages":${text},${JSON.stringify(rest).slice(1)}`;
};

/** A pending message is its author's alone: its quote of what they cleared shows them nothing of it. */
const withoutCleared = (message: Message, clearedAt: string): Message => {
  const { quoted_message: quoted, ...rest } = message;
  return quoted && quoted.created_at <= clearedAt ? rest : message;
};

/** Channel snapshots as one person sees them, for one channel or a page of them. */
export class ChannelStates {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The channel as everyone sees it. */
  async publicChannel(db: Db, row: ChannelRow): Promise<Channel> {
    const { users, access } = this.#deps;
    const directIds = row.distinct_members ?? [];
    const [creator, people, place] = await Promise.all([
      row.created_by === null ? undefined : users.get(db, row.created_by),
      directIds.length === 0 ? undefined : users.getMany(db, directIds),
      access.placeOf(db, server, row, undefined),
    ]);
    const directMembers = people && directIds.flatMap((id) => people.get(id)?.user ?? []);
    return toChannel(row, { createdBy: creator?.user, directMembers }, place.type.config);
  }

  async ownChannel(row: ChannelRow, place: Place): Promise<Channel> {
    return toOwnChannel(await this.publicChannel(this.#deps.kernel.db, row), place.capabilities);
  }

  /** The states of those channels that the actor may still read at the end. Subscribing comes first, so no event falls between
   * it and the snapshot. */
  async states(
    actor: Actor,
    cids: string[],
    options: StateOptions,
    watcher: Watcher | undefined,
  ): Promise<ChannelStateReply[]> {
    if (cids.length === 0) return [];
    if (options.watch) await watcher?.watch(cids);
    const fresh = await findChannels(this.#deps.kernel.pools, cids);
    const byCid = new Map(fresh.map((row) => [row.cid, row]));
    const rows = cids.flatMap((cid) => byCid.get(cid) ?? []);
    const viewerId = viewerOf(actor);
    const [known, watchersElsewhere] = await Promise.all([
      options.state === false ? this.#loadOwn(cids, viewerId) : this.#load(actor, rows, options),
      this.#deps.kernel.others.countWatchers(cids),
    ]);
    const loaded: Loaded = { ...known, watchersElsewhere };
    const followed = followedBy(options.presence && watcher ? loaded.members : none);
    await watcher?.followPresence(followed);
    const isWhole = options.state !== false;
    const states = await Promise.all(rows.map((row) => this.#stateOf(actor, row, loaded, isWhole)));
    const readable = await this.#readable(actor, states, watcher);
    await watcher?.unfollowPresence(notShown(followed, readable));
    return readable;
  }

  /** A member who was removed while the states were read gets none of them and no further events. */
  async #readable(
    actor: Actor,
    states: ChannelStateReply[],
    watcher: Watcher | undefined,
  ): Promise<ChannelStateReply[]> {
    const allowed = await Promise.all(
      states.map(({ channel }) => this.#deps.access.mayRead(actor, channel.cid)),
    );
    const lost = states.filter((_, index) => !allowed[index]);
    await watcher?.unwatch(lost.map(({ channel }) => channel.cid));
    return states.filter((_, index) => allowed[index]);
  }

  async #load(
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

  /** The state for a client that only watches again: nobody's but their own. */
  async #loadOwn(cids: string[], viewerId: string | undefined): Promise<Loaded> {
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

  async #stateOf(
    actor: Actor,
    row: FoundChannel,
    loaded: Loaded,
    isWhole: boolean,
  ): Promise<ChannelStateReply> {
    const { access, kernel } = this.#deps;
    const viewerId = actorId(actor);
    const members = loaded.members.get(row.cid) ?? [];
    const membership = members.find((member) => member.user_id === viewerId);
    const place = await access.placeOf(kernel.db, actor, row, membership);
    const own = members.filter((member) => member === membership);
    const shown = place.capabilities.has('read-channel-members') ? members : own;
    const isCounted = fidelityOf(row.member_count, place.type.config) !== undefined;
    // Messages that the viewer cannot mark read are not unread.
    const isCounting = place.capabilities.has('read-events') && !membership?.invited;
    const draft = loaded.drafts.get(row.cid);
    const state: ChannelStateReply = {
      channel: {
        ...(await this.ownChannel(row, place)),
        ...(membership ? preferencesOf(row, membership, this.#deps.kernel.now()) : {}),
      },
      members: isWhole ? shown.map((member) => this.#member(member, loaded)) : [],
      ...(await this.#messagesOf(row.cid, loaded, viewerId, membership?.cleared_at ?? '')),
      ...(isCounted && isWhole ? { read_counts: await countReads(this.#deps.kernel.db, row.cid) } : {}),
      read: (isCounted ? own : shown).flatMap((member) => {
        const user = loaded.found.get(member.user_id)?.user;
        const isOwn = member === membership;
        return user ? [toRead(member, user, isOwn && !isCounting ? 0 : row.last_number, isOwn)] : [];
      }),
      ...this.#watchersOf(row.cid, loaded, isWhole),
      ...(membership ? { membership: this.#member(membership, loaded, toOwnMember) } : {}),
      ...(draft ? { draft } : {}),
      seq: row.seq,
      log_id: row.log_id,
      ...(row.seq_at === null ? {} : { seq_at: row.seq_at }),
      last_number: row.last_number,
    };
    if (loaded.page) {
      const { text, most } = loaded.page;
      const since = membership?.cleared_at ?? undefined;
      pageTexts.set(state, await this.#deps.pages.textFor(kernel.db, text, { viewerId, since, most }));
    }
    return state;
  }

  #watchersOf(cid: string, { watchersElsewhere }: Loaded, isWhole: boolean) {
    const { hub } = this.#deps;
    const elsewhere = watchersElsewhere.get(cid);
    return watchersOf({ here: hub.watcherCount(cid), elsewhere, connections: hub.watchers(cid) }, isWhole);
  }

  async #messagesOf(cid: string, loaded: Loaded, viewerId: string | undefined, clearedAt: string) {
    const rows = loaded.messages.get(cid) ?? [];
    const pinned = loaded.pinned.get(cid) ?? [];
    const pending = loaded.pending.get(cid) ?? [];
    const { hydrate, kernel } = this.#deps;
    const all = await hydrate(kernel.db, [...rows, ...pinned, ...pending], viewerId);
    const waiting = all
      .slice(rows.length + pinned.length)
      .map((message) => withoutCleared({ ...message, pending: true }, clearedAt));
    return {
      messages: all.slice(0, rows.length),
      pinned_messages: all.slice(rows.length, rows.length + pinned.length),
      ...(waiting.length > 0 ? { pending_messages: waiting } : {}),
    };
  }

  #member(row: MemberRow, { found }: Loaded, show = toMember): Member {
    const entry = found.get(row.user_id);
    return show(row, entry ? this.#deps.presence.withPresence(entry.user, entry.row.last_active) : undefined);
  }
}
