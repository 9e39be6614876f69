import { type Capability, capabilities, isStaffRole } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { ChannelRow, MemberRow } from '../db/rows.ts';
import { keysOf } from '../lib/objects.ts';
import type { Grants } from './engine.ts';
import type { Place } from './place.ts';
import type { TypeEntry } from './type-entry.ts';

/** A holder of the secret may change the rules, so the rules do not bind them. */
const everything: Grants = { any: new Set(capabilities), own: new Set(capabilities) };
const whenBanned: readonly Capability[] = [
  'read-channel',
  'read-channel-members',
  'connect-events',
  'leave-channel',
];
const whenFrozen: readonly Capability[] = [
  'send-message',
  'send-reply',
  'send-reaction',
  'typing-events',
  'create-poll',
  'cast-poll-vote',
  'share-location',
];

/** Capabilities that a frozen channel leaves to those who may freeze it. Deleting stays allowed. */
const heldWhenFrozen: readonly Capability[] = [
  'update-message',
  'delete-reaction',
  'pin-message',
  'send-custom-events',
];

/** Capabilities that a switch of the channel type's configuration takes from everyone when it is off. */
const switches = {
  reactions: ['send-reaction'],
  replies: ['send-reply'],
  quotes: ['quote-message'],
  typing_events: ['typing-events'],
  read_events: ['read-events'],
  delivery_events: ['delivery-events'],
  custom_events: ['send-custom-events'],
  search: ['search-messages'],
  uploads: ['upload-file'],
  polls: ['create-poll', 'cast-poll-vote'],
} as const satisfies Record<string, readonly Capability[]>;

const onlyWhenBanned = (grants: Grants): Grants => {
  const keep = (set: ReadonlySet<Capability>) =>
    new Set(whenBanned.filter((capability) => set.has(capability)));
  return { any: keep(grants.any), own: keep(grants.own) };
};

/** Capabilities that nobody has in channels of the type. */
export const offIn = ({ config }: TypeEntry): Capability[] =>
  keysOf(switches).flatMap((name) => (config[name] ? [] : [...switches[name]]));

const switchedOff = (channel: ChannelRow, type: TypeEntry, mayFreeze: boolean): Capability[] => {
  const frozen = [...whenFrozen, ...(mayFreeze ? [] : heldWhenFrozen)];
  return channel.frozen || channel.disabled ? [...frozen, ...offIn(type)] : offIn(type);
};

/** Asked for on every call: made once for each set of grants and what is taken from it. */
const reduced = new WeakMap<Grants, Map<string, Grants>>();

const without = (grants: Grants, off: Capability[]): Grants => {
  if (off.length === 0) return grants;
  const known = reduced.get(grants) ?? new Map<string, Grants>();
  reduced.set(grants, known);
  const key = off.join();
  const found = known.get(key);
  if (found) return found;
  const minus = (set: ReadonlySet<Capability>) =>
    new Set([...set].filter((capability) => !off.includes(capability)));
  const made = { any: minus(grants.any), own: minus(grants.own) };
  known.set(key, made);
  return made;
};

export const rolesOf = (role: string, channelRole: string | null | undefined): string[] => {
  if (channelRole === null || channelRole === undefined) return [role];
  // A moderator of the channel is a member of it, too.
  return channelRole === 'channel_member' ? [role, channelRole] : [role, 'channel_member', channelRole];
};

/** Capabilities that the rules of a type give an actor, before the state of a channel counts. */
export const grantsOf = (actor: Actor, type: TypeEntry, member: MemberRow | undefined): Grants => {
  if (actor.kind === 'server') return everything;
  const grants = type.grants(rolesOf(actor.user.row.role, member?.channel_role));
  return actor.user.row.banned || member?.banned ? onlyWhenBanned(grants) : grants;
};

const isCreator = ({ created_by }: ChannelRow, { user }: Actor): boolean =>
  user !== undefined && created_by === user.row.id;

const nothing: Grants = { any: new Set(), own: new Set() };

/** Capabilities that are left in a channel: its state and the type's configuration take from everyone, and a direct conversation is for
 * its people and staff, also where the type is open. */
const grantsIn = (
  channel: ChannelRow,
  actor: Actor,
  type: TypeEntry,
  member: MemberRow | undefined,
): Grants => {
  if (channel.distinct_key !== null && !member && actor.kind !== 'server')
    if (!isStaffRole(actor.user.row.role)) return nothing;
  const grants = grantsOf(actor, type, member);
  const mayFreeze = (isCreator(channel, actor) ? grants.own : grants.any).has('freeze-channel');
  return without(grants, switchedOff(channel, type, mayFreeze));
};

/** Capabilities about messages and reactions: the creator of the channel is not their author. */
const ofOthers: readonly Capability[] = ['update-message', 'delete-message', 'delete-reaction'];
const ofCreators = new WeakMap<Grants, ReadonlySet<Capability>>();

/** Capabilities of the creator of a channel. Needed on every call, so computed once for each set of grants. */
const capabilitiesOfCreator = (grants: Grants): ReadonlySet<Capability> => {
  const known = ofCreators.get(grants);
  if (known) return known;
  const made = new Set(grants.own);
  for (const capability of ofOthers) if (!grants.any.has(capability)) made.delete(capability);
  ofCreators.set(grants, made);
  return made;
};

/** Capabilities of an actor in a channel of the type, given its row and membership. */
export const placeIn = (
  type: TypeEntry,
  actor: Actor,
  channel: ChannelRow,
  member: MemberRow | undefined,
): Place => {
  const grants = grantsIn(channel, actor, type, member);
  return {
    channel,
    type,
    member,
    grants,
    capabilities: isCreator(channel, actor) ? capabilitiesOfCreator(grants) : grants.any,
  };
};
