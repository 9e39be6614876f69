import type { Channel, ChannelStateReply, Member, MessageWindow } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import type { ChannelRow, Place } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Connection } from '../../gateway/connection.ts';
import type { Hub } from '../../gateway/hub.ts';
import type { Presence } from '../../gateway/presence.ts';
import type { Kernel } from '../../kernel.ts';
import { type MemberRow, toMember } from '../members/record.ts';
import { listFirstMembers, listMemberships } from '../members/store.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { MessageRow } from '../messages/record.ts';
import { listMessages, listNewest } from '../messages/store.ts';
import { toRead } from '../reads/record.ts';
import type { UserCache, UserEntry } from '../users/cache.ts';
import { toChannel, toOwnChannel } from './record.ts';
import { findChannels } from './store.ts';

export type StateOptions = {
  watch?: boolean | undefined;
  state?: boolean | undefined;
  presence?: boolean | undefined;
  messageLimit: number;
  memberLimit: number;
  /** A window into one channel's messages; otherwise the newest. */
  window?: MessageWindow | undefined;
};

type Deps = {
  kernel: Kernel;
  access: Access;
  users: UserCache;
  presence: Presence;
  hydrate: Hydrate;
  hub: Hub;
};

/** What the states of a page of channels are made of. */
type Loaded = {
  members: Map<string, MemberRow[]>;
  messages: Map<string, MessageRow[]>;
  found: ReadonlyMap<string, UserEntry>;
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

const hasPosition = (window: MessageWindow): boolean => Object.keys(window).some((key) => key !== 'limit');
const mostWatchersShown = 100;
const server: Actor = { kind: 'server', user: undefined };
const nothing: Loaded = { members: new Map(), messages: new Map(), found: new Map() };

/** Channel snapshots as one person sees them, for one channel or a page of them. */
export class ChannelStates {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The channel as everyone sees it. */
  async publicChannel(row: ChannelRow): Promise<Channel> {
    const [creator, place] = await Promise.all([
      row.created_by === null ? undefined : this.#deps.users.get(row.created_by),
      this.#deps.access.placeOf(server, row, undefined),
    ]);
    return toChannel(row, creator?.user, place.type.config);
  }

  async ownChannel(row: ChannelRow, place: Place): Promise<Channel> {
    return toOwnChannel(await this.publicChannel(row), place.capabilities);
  }

  /** The rows must be readable to the actor. Subscribing comes first, so no event falls between it and the snapshot. */
  async states(
    actor: Actor,
    cids: string[],
    options: StateOptions,
    watcher: Connection | undefined,
  ): Promise<ChannelStateReply[]> {
    if (cids.length === 0) return [];
    if (options.watch && watcher) for (const cid of cids) this.#deps.hub.watch(watcher, cid);
    const fresh = await findChannels(this.#deps.kernel.pools, cids);
    const byCid = new Map(fresh.map((row) => [row.cid, row]));
    const rows = cids.flatMap((cid) => byCid.get(cid) ?? []);
    const viewerId = actor.kind === 'anonymous' ? undefined : actorId(actor);
    const loaded =
      options.state === false
        ? await this.#loadOwn(cids, viewerId)
        : await this.#load(cids, viewerId, options);
    if (options.presence && watcher)
      watcher.followPresence([...loaded.members.values()].flat().map((member) => member.user_id));
    const isWhole = options.state !== false;
    return Promise.all(rows.map((row) => this.#stateOf(actor, row, loaded, isWhole)));
  }

  async #load(cids: string[], viewerId: string | undefined, options: StateOptions): Promise<Loaded> {
    const { kernel, users } = this.#deps;
    const [only] = cids;
    const [members, messages] = await Promise.all([
      listFirstMembers(kernel.pools, cids, options.memberLimit, viewerId),
      options.window && only && hasPosition(options.window)
        ? listMessages(kernel.db, { cid: only }, options.window, options.messageLimit)
        : listNewest(kernel.pools, cids, options.messageLimit),
    ]);
    const found = await users.getMany(members.map((row) => row.user_id));
    return { members: groupByCid(members), messages: groupByCid(messages), found };
  }

  /** For who only wants to watch again: nobody's state but their own. */
  async #loadOwn(cids: string[], viewerId: string | undefined): Promise<Loaded> {
    if (viewerId === undefined) return nothing;
    const { kernel, users } = this.#deps;
    const members = await listMemberships(kernel.pools, viewerId, cids);
    return { ...nothing, members: groupByCid(members), found: await users.getMany([viewerId]) };
  }

  async #stateOf(
    actor: Actor,
    row: ChannelRow,
    loaded: Loaded,
    isWhole: boolean,
  ): Promise<ChannelStateReply> {
    const { access, hydrate, kernel } = this.#deps;
    const viewerId = actorId(actor);
    const members = loaded.members.get(row.cid) ?? [];
    const membership = members.find((member) => member.user_id === viewerId);
    const place = await access.placeOf(actor, row, membership);
    const maySeeMembers = place.capabilities.has('read-channel-members');
    const shown = maySeeMembers ? members : members.filter((member) => member === membership);
    return {
      channel: await this.ownChannel(row, place),
      members: isWhole ? shown.map((member) => this.#member(member, loaded)) : [],
      messages: await hydrate(kernel.db, loaded.messages.get(row.cid) ?? [], viewerId),
      read: shown.flatMap((member) => {
        const user = loaded.found.get(member.user_id)?.user;
        return user ? [toRead(member, user, row.last_number, member === membership)] : [];
      }),
      ...this.#watchersOf(row.cid, isWhole),
      pinned_messages: [],
      ...(membership ? { membership: this.#member(membership, loaded) } : {}),
      seq: row.seq,
      last_number: row.last_number,
    };
  }

  #member(row: MemberRow, { found }: Loaded): Member {
    const entry = found.get(row.user_id);
    return toMember(
      row,
      entry ? this.#deps.presence.withPresence(entry.user, entry.row.last_active) : undefined,
    );
  }

  #watchersOf(cid: string, withNames: boolean) {
    const connections = this.#deps.hub.watchers(cid);
    if (!withNames) return { watcher_count: connections.size };
    const seen = new Map<string, UserEntry['user']>();
    for (const { actor } of connections) {
      if (seen.size >= mostWatchersShown) break;
      if (actor.kind === 'user') seen.set(actor.user.row.id, actor.user.user);
    }
    return { watcher_count: connections.size, watchers: [...seen.values()] };
  }
}
