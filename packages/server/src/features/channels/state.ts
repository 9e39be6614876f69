import {
  type Channel,
  type ChannelStateReply,
  fidelityOf,
  type Member,
  type Message,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import type { Place } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { ChannelRow, MemberRow } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import type { Watcher } from '../../hub/connection.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { preferencesOf } from '../channel-preferences/record.ts';
import type { Drafts } from '../drafts/service.ts';
import { toMember, toOwnMember } from '../members/record.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { NewestPages } from '../messages/newest-pages.ts';
import { toRead } from '../reads/record.ts';
import { countReads } from '../reads/store.ts';
import type { UserCache } from '../users/cache.ts';
import { followedBy, notShown } from './followed.ts';
import { toChannel, toOwnChannel } from './record.ts';
import { type Loaded, type StateOptions, StateRows } from './state-rows.ts';
import { type FoundChannel, findChannels } from './store.ts';
import { watchersOf } from './watchers.ts';

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

const server: Actor = { kind: 'server', user: undefined };

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
  #rows: StateRows;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#rows = new StateRows(deps);
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
    const [known, watchersElsewhere] = await Promise.all([
      options.state === false ? this.#rows.loadOwn(actor, cids) : this.#rows.load(actor, rows, options),
      this.#deps.kernel.others.countWatchers(cids),
    ]);
    const loaded: Loaded = { ...known, watchersElsewhere };
    const followed = followedBy(options.presence && watcher ? loaded.members : new Map());
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
