import { type Capability, channelRoles, isStaffRole, ParleyError } from '@parley/protocol';
import type { Actor } from '../auth/actor.ts';
import type { BusEvent } from '../bus/bus.ts';
import type { ChannelRow, MemberRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { createLru } from '../lib/lru.ts';
import { grantsOf, offIn, placeIn, rolesOf } from './grants.ts';
import { type Place, requireCapability } from './place.ts';
import { findChannel, findMember } from './store.ts';
import type { TypeEntry, TypeSource } from './type-entry.ts';

/** Somebody with a channel, as rows of the database say; `channel_role` is null for who is no member. */
export type Reader = {
  role: string;
  channel_role: string | null;
  type: string;
  is_direct: boolean;
  is_creator: boolean;
};
export type MayReadAs = (reader: Reader) => boolean;
const kindOf = ({ type, channel_role, is_creator }: Reader): string =>
  [type, channel_role, ...(is_creator ? ['creator'] : [])].join(' ');
type Entry = { row: ChannelRow; members: Map<string, MemberRow | null> };

/** The most cached members of one channel: a large channel in which everyone calls would otherwise fill the memory. */
const mostMembers = 5000;
/** The most cached members of all channels together. */
const mostMembersInAll = 500_000;

/** The capabilities of actors in channels, with a cache of channels and memberships that is cleared as they change. A row that a transaction reads
 * is not kept: it may be its own and never committed. */
export class Access {
  #kernel: Kernel;
  #types: TypeSource;
  #known = createLru<Entry>(20_000);
  /** Memberships that were taken in since all were forgotten. */
  #kept = 0;
  /** Bumped by every forgetting: what was read before it must not be kept after it. */
  #epoch = 0;

  constructor(kernel: Kernel, types: TypeSource) {
    this.#kernel = kernel;
    this.#types = types;
    kernel.bus.subscribe((event) => this.#forget(event));
  }

  /** Capabilities of an actor in a channel, given its row and membership. */
  async placeOf(db: Db, actor: Actor, channel: ChannelRow, member: MemberRow | undefined): Promise<Place> {
    return placeIn(await this.#types.get(db, channel.type), actor, channel, member);
  }

  async look(actor: Actor, cid: string, db: Db = this.#kernel.db): Promise<Place | undefined> {
    const entry = await this.#findEntry(db, cid);
    if (!entry || entry.row.deleted_at !== null) return undefined;
    const userId = actor.kind === 'anonymous' ? undefined : actor.user?.row.id;
    const member = userId === undefined ? undefined : await this.#findMember(db, entry, userId);
    return this.placeOf(db, actor, entry.row, member);
  }

  async mayRead(actor: Actor, cid: string, db: Db = this.#kernel.db): Promise<boolean> {
    return (await this.look(actor, cid, db))?.capabilities.has('read-channel') ?? false;
  }

  /** The channel, deleted or not, whoever asks. */
  async find(cid: string): Promise<ChannelRow | undefined> {
    return (await this.#findEntry(this.#kernel.db, cid))?.row;
  }

  /** The channel, for someone who may at least read it. */
  async enter(actor: Actor, cid: string, db: Db = this.#kernel.db): Promise<Place> {
    const place = await this.look(actor, cid, db);
    if (!place) throw new ParleyError('NotFound', `No channel ${cid}`);
    requireCapability(place, 'read-channel');
    return place;
  }

  /** The types whose channels a role reads without being a member. */
  async openTypes(actor: Actor): Promise<string[]> {
    const all = [...(await this.#types.all(this.#kernel.db)).values()];
    return all
      .filter((type) => grantsOf(actor, type, undefined).any.has('read-channel'))
      .map((type) => type.name);
  }

  /** Says of many at once what `mayRead` says of one; or who has another capability, for those who are not banned. */
  async readers(db: Db, capability: Capability = 'read-channel'): Promise<MayReadAs> {
    const types = await this.#types.all(db);
    return ({ role, channel_role, type: name, is_direct, is_creator }) => {
      if (is_direct && channel_role === null && !isStaffRole(role)) return false;
      const type = types.get(name);
      if (!type || offIn(type).includes(capability)) return false;
      const grants = type.grants(rolesOf(role, channel_role));
      return (is_creator ? grants.own : grants.any).has(capability);
    };
  }

  /** The kinds of membership, as `kindOf` writes them, in which messages can be unread for the actor: those where it may read
   * the channel and mark messages read. */
  async countedKinds({ user }: Actor): Promise<string[]> {
    if (!user || user.row.banned) return [];
    const { db } = this.#kernel;
    const [mayRead, mayMark] = [await this.readers(db), await this.readers(db, 'read-events')];
    return [...(await this.#types.all(db)).keys()]
      .flatMap((type) => channelRoles.map((channel_role) => ({ type, channel_role })))
      .flatMap((kind) => [true, false].map((is_creator) => ({ ...kind, is_creator })))
      .map((kind) => ({ ...kind, role: user.row.role, is_direct: false }))
      .filter((reader) => mayRead(reader) && mayMark(reader))
      .map(kindOf);
  }

  /** The types whose channels the actor reads as a member, whatever the channel role. */
  async memberTypes(actor: Exclude<Actor, { kind: 'server' }>): Promise<ReadonlySet<string>> {
    const { role } = actor.user.row;
    const roleSets = channelRoles.map((_, index) => [role, ...channelRoles.slice(0, index + 1)]);
    const reads = (type: TypeEntry): boolean =>
      roleSets.every((roles) => type.grants(roles).any.has('read-channel'));
    const all = [...(await this.#types.all(this.#kernel.db)).values()];
    return new Set(all.filter(reads).map(({ name }) => name));
  }

  #forget(event: BusEvent): void {
    if (event.kind !== 'stale') return;
    if (event.what === 'everything') this.#known.clear();
    else if (event.what === 'channel') this.#known.delete(event.key);
    else if (event.what === 'member' && event.userId)
      this.#known.get(event.key)?.members.delete(event.userId);
    else return;
    this.#epoch++;
  }

  async #findEntry(db: Db, cid: string): Promise<Entry | undefined> {
    const entry = this.#known.get(cid);
    if (entry) return entry;
    const before = this.#epoch;
    const row = await findChannel(db, cid);
    if (!row) return undefined;
    const made: Entry = { row, members: new Map() };
    if (this.#epoch === before && !db.isTransaction) this.#known.set(cid, made);
    return made;
  }

  async #findMember(db: Db, entry: Entry, userId: string): Promise<MemberRow | undefined> {
    const found = entry.members.get(userId);
    if (found !== undefined) return found ?? undefined;
    const before = this.#epoch;
    const row = await findMember(db, entry.row.cid, userId);
    if (this.#epoch !== before || db.isTransaction) return row;
    if (entry.members.size >= mostMembers) entry.members.clear();
    if (++this.#kept > mostMembersInAll) {
      this.#known.clear();
      this.#kept = 0;
    }
    entry.members.set(userId, row ?? null);
    return row;
  }
}
