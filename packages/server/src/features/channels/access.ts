import { type Capability, ParleyError } from '@parley/protocol';
import type { Kysely } from 'kysely';
import type { Actor } from '../../auth/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { Kernel } from '../../kernel.ts';
import { createLru } from '../../lib/lru.ts';
import type { ChannelTypes, TypeEntry } from '../channel-types/service.ts';
import type { MemberRow } from '../members/record.ts';
import type { Grants } from '../roles/engine.ts';
import type { ChannelRow } from './record.ts';

type Entry = { row: ChannelRow; members: Map<string, MemberRow | null> };

/** A channel as an actor finds it: what it is, whether they belong to it, and what they may do in it.
 * Of the row only what changes by events of its own is fresh: not seq, numbers or last_message_at. */
export type Place = {
  channel: ChannelRow;
  type: TypeEntry;
  member: MemberRow | undefined;
  /** What the actor may do here, with what the channel's maker may do if that is who acts. */
  capabilities: ReadonlySet<Capability>;
  grants: Grants;
};

export type Access = ReturnType<typeof createAccess>;

const everything = (type: TypeEntry): Grants => type.grants(['admin']);
const whenBanned: readonly Capability[] = [
  'read-channel',
  'read-channel-members',
  'connect-events',
  'leave-channel',
];

const onlyWhenBanned = (grants: Grants): Grants => {
  const keep = (set: ReadonlySet<Capability>) =>
    new Set(whenBanned.filter((capability) => set.has(capability)));
  return { any: keep(grants.any), own: keep(grants.own) };
};

/** What the configuration of the type or the state of the channel takes from everyone. */
const switchedOff = (channel: ChannelRow, { config }: TypeEntry): Capability[] => [
  ...(config.reactions ? [] : (['send-reaction'] as const)),
  ...(config.replies ? [] : (['send-reply'] as const)),
  ...(config.quotes ? [] : (['quote-message'] as const)),
  ...(config.typing_events ? [] : (['typing-events'] as const)),
  ...(config.read_events ? [] : (['read-events'] as const)),
  ...(config.delivery_events ? [] : (['delivery-events'] as const)),
  ...(config.custom_events ? [] : (['send-custom-events'] as const)),
  ...(config.search ? [] : (['search-messages'] as const)),
  ...(config.uploads ? [] : (['upload-file'] as const)),
  ...(config.polls ? [] : (['create-poll', 'cast-poll-vote'] as const)),
  ...(channel.frozen || channel.disabled
    ? ([
        'send-message',
        'send-reply',
        'send-reaction',
        'typing-events',
        'create-poll',
        'cast-poll-vote',
      ] as const)
    : []),
];

const without = (grants: Grants, off: Capability[]): Grants => {
  if (off.length === 0) return grants;
  const minus = (set: ReadonlySet<Capability>) =>
    new Set([...set].filter((capability) => !off.includes(capability)));
  return { any: minus(grants.any), own: minus(grants.own) };
};

export const rolesOf = (
  actor: Exclude<Actor, { kind: 'server' }>,
  member: MemberRow | undefined,
): string[] => {
  const { role } = actor.user.row;
  if (!member) return [role];
  // A moderator of the channel is a member of it, too.
  return member.channel_role === 'channel_member'
    ? [role, 'channel_member']
    : [role, 'channel_member', member.channel_role];
};

export const createAccess = (kernel: Kernel, types: ChannelTypes) => {
  const known = createLru<Entry>(20_000);
  /** Bumped by every forgetting: what was read before it must not be kept after it. */
  let epoch = 0;
  kernel.bus.subscribe((fact) => {
    if (fact.kind !== 'stale') return;
    if (fact.what === 'channel') known.delete(fact.key);
    else if (fact.what === 'member' && fact.userId) known.get(fact.key)?.members.delete(fact.userId);
    else return;
    epoch++;
  });

  const findEntry = async (cid: string): Promise<Entry | undefined> => {
    const entry = known.get(cid);
    if (entry) return entry;
    const before = epoch;
    const row = await kernel.db.selectFrom('channels').selectAll().where('cid', '=', cid).executeTakeFirst();
    if (!row) return undefined;
    const made: Entry = { row, members: new Map() };
    if (epoch === before) known.set(cid, made);
    return made;
  };

  const findMember = async (entry: Entry, userId: string): Promise<MemberRow | undefined> => {
    const found = entry.members.get(userId);
    if (found !== undefined) return found ?? undefined;
    const before = epoch;
    const row = await kernel.db
      .selectFrom('members')
      .selectAll()
      .where('cid', '=', entry.row.cid)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (epoch === before) entry.members.set(userId, row ?? null);
    return row;
  };

  const grantsOf = (actor: Actor, type: TypeEntry, member: MemberRow | undefined): Grants => {
    if (actor.kind === 'server') return everything(type);
    const grants = type.grants(rolesOf(actor, member));
    return actor.user.row.banned || member?.banned ? onlyWhenBanned(grants) : grants;
  };

  /** What an actor may do in a channel, given its row and membership. */
  const placeOf = async (
    actor: Actor,
    channel: ChannelRow,
    member: MemberRow | undefined,
  ): Promise<Place> => {
    const type = await types.get(channel.type);
    const grants = without(grantsOf(actor, type, member), switchedOff(channel, type));
    const owns = actor.user !== undefined && channel.created_by === actor.user.row.id;
    return { channel, type, member, grants, capabilities: owns ? grants.own : grants.any };
  };

  const look = async (actor: Actor, cid: string): Promise<Place | undefined> => {
    const entry = await findEntry(cid);
    if (!entry || entry.row.deleted_at !== null) return undefined;
    const userId = actor.kind === 'anonymous' ? undefined : actor.user?.row.id;
    const member = userId === undefined ? undefined : await findMember(entry, userId);
    return placeOf(actor, entry.row, member);
  };

  return {
    placeOf,
    look,
    /** The channel, deleted or not, whoever asks. */
    find: async (cid: string): Promise<ChannelRow | undefined> => (await findEntry(cid))?.row,
    /** The channel, for someone who may at least read it. */
    async enter(actor: Actor, cid: string): Promise<Place> {
      const place = await look(actor, cid);
      if (!place) throw new ParleyError('NotFound', `No channel ${cid}`);
      requireCapability(place, 'read-channel');
      return place;
    },
    /** The types whose channels a role reads without being a member. */
    async openTypes(actor: Actor): Promise<string[]> {
      const all = [...(await types.all()).values()];
      return all
        .filter((type) => grantsOf(actor, type, undefined).any.has('read-channel'))
        .map((type) => type.name);
    },
  };
};

const denied = (capability: Capability, cid: string): ParleyError =>
  new ParleyError('NotAllowed', `Not allowed to ${capability} in ${cid}`);

export const requireCapability = (place: Place, capability: Capability): void => {
  if (!place.capabilities.has(capability)) throw denied(capability, place.channel.cid);
};

/** For what someone wrote: their own needs less than another's. */
export const requireOn = (place: Place, capability: Capability, isOwn: boolean): void => {
  if (!(isOwn ? place.grants.own : place.grants.any).has(capability))
    throw denied(capability, place.channel.cid);
};

/** Locks the channel for a change of it; always the first lock a transaction takes. */
export const lockChannel = async (db: Kysely<Database>, cid: string): Promise<ChannelRow> => {
  const row = await db
    .selectFrom('channels')
    .selectAll()
    .where('cid', '=', cid)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.deleted_at !== null) throw new ParleyError('NotFound', `No channel ${cid}`);
  return row;
};
