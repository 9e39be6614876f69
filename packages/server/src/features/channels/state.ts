import type { Channel, ChannelStateReply, Member, MessageWindow } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Connection } from '../../gateway/connection.ts';
import type { Hub } from '../../gateway/hub.ts';
import type { Kernel } from '../../kernel.ts';
import type { MemberRow } from '../members/record.ts';
import { toMember } from '../members/record.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { MessageRow } from '../messages/record.ts';
import { listMessages, listNewest } from '../messages/store.ts';
import type { Presence } from '../presence/registry.ts';
import { toRead } from '../reads/service.ts';
import type { UserCache, UserEntry } from '../users/cache.ts';
import type { Access, Place } from './access.ts';
import { type ChannelRow, toChannel, toOwnChannel } from './record.ts';
import { findChannels, listFirstMembers } from './store.ts';

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
export type ChannelStates = ReturnType<typeof createChannelStates>;

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

/** Channel snapshots as one person sees them, for one channel or a page of them. */
export const createChannelStates = ({ kernel, access, users, presence, hydrate, hub }: Deps) => {
  const publicChannel = async (row: ChannelRow): Promise<Channel> => {
    const [creator, place] = await Promise.all([
      row.created_by === null ? undefined : users.get(row.created_by),
      access.placeOf({ kind: 'server', user: undefined }, row, undefined),
    ]);
    return toChannel(row, creator?.user, place.type.config);
  };

  const ownChannel = async (row: ChannelRow, place: Place): Promise<Channel> =>
    toOwnChannel(await publicChannel(row), place.capabilities);

  const memberRecord = (row: MemberRow, found: ReadonlyMap<string, UserEntry>): Member => {
    const entry = found.get(row.user_id);
    return toMember(row, entry ? presence.withPresence(entry.user, entry.row.last_active) : undefined);
  };

  const watchersOf = (cid: string) => {
    const connections = [...hub.watchers(cid)];
    const seen = new Map(connections.slice(0, 100).map(({ actor }) => [actor.user.row.id, actor.user.user]));
    return { watcher_count: connections.length, watchers: [...seen.values()] };
  };

  type Loaded = {
    members: Map<string, MemberRow[]>;
    messages: Map<string, MessageRow[]>;
    found: ReadonlyMap<string, UserEntry>;
  };

  const load = async (
    rows: ChannelRow[],
    viewerId: string | undefined,
    options: StateOptions,
  ): Promise<Loaded> => {
    const cids = rows.map((row) => row.cid);
    const [only] = cids;
    const [members, messages] = await Promise.all([
      listFirstMembers(kernel.pools, cids, options.memberLimit, viewerId),
      options.window && only && hasPosition(options.window)
        ? listMessages(kernel.db, { cid: only }, options.window, options.messageLimit)
        : listNewest(kernel.pools, cids, options.messageLimit),
    ]);
    const found = await users.getMany(members.map((row) => row.user_id));
    return { members: groupByCid(members), messages: groupByCid(messages), found };
  };

  const stateOf = async (actor: Actor, row: ChannelRow, loaded: Loaded): Promise<ChannelStateReply> => {
    const viewerId = actorId(actor);
    const members = loaded.members.get(row.cid) ?? [];
    const membership = members.find((member) => member.user_id === viewerId);
    const place = await access.placeOf(actor, row, membership);
    const maySeeMembers = place.capabilities.has('read-channel-members');
    const shown = maySeeMembers ? members : members.filter((member) => member === membership);
    const messages = await hydrate(kernel.db, loaded.messages.get(row.cid) ?? [], viewerId);
    return {
      channel: await ownChannel(row, place),
      members: shown.map((member) => memberRecord(member, loaded.found)),
      messages,
      read: shown.flatMap((member) => {
        const user = loaded.found.get(member.user_id)?.user;
        return user ? [toRead(member, user, row.last_number, member === membership)] : [];
      }),
      ...watchersOf(row.cid),
      pinned_messages: [],
      ...(membership ? { membership: memberRecord(membership, loaded.found) } : {}),
      seq: row.seq,
      last_number: row.last_number,
    };
  };

  /** For who only wants to watch again: the numbers to sync from. */
  const bareState = async (actor: Actor, row: ChannelRow): Promise<ChannelStateReply> => {
    const place = await access.look(actor, row.cid);
    const channel = place ? await ownChannel(row, place) : await publicChannel(row);
    const none = { members: [], messages: [], read: [], pinned_messages: [] };
    return {
      channel,
      ...none,
      watcher_count: hub.watchers(row.cid).size,
      seq: row.seq,
      last_number: row.last_number,
    };
  };

  return {
    publicChannel,
    ownChannel,
    /** The rows must be readable to the actor. Subscribing comes first, so no event falls between it and the snapshot. */
    async states(
      actor: Actor,
      cids: string[],
      options: StateOptions,
      watcher: Connection | undefined,
    ): Promise<ChannelStateReply[]> {
      if (cids.length === 0) return [];
      if (options.watch && watcher) for (const cid of cids) hub.watch(watcher, cid);
      const fresh = await findChannels(kernel.pools, cids);
      const byCid = new Map(fresh.map((row) => [row.cid, row]));
      const rows = cids.flatMap((cid) => byCid.get(cid) ?? []);
      if (options.state === false) return Promise.all(rows.map((row) => bareState(actor, row)));
      const loaded = await load(rows, actorId(actor), options);
      if (options.presence && watcher)
        watcher.followPresence([...loaded.members.values()].flat().map((member) => member.user_id));
      return Promise.all(rows.map((row) => stateOf(actor, row, loaded)));
    },
  };
};
