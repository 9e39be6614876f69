import { type Capability, ParleyError } from '@parley/protocol';
import type { ChannelRow, MemberRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import type { Grants } from './engine.ts';
import { lockChannelRow } from './store.ts';
import type { TypeEntry } from './type-entry.ts';

/** A channel as an actor finds it: what it is, whether they belong to it, and what they may do in it.
 * Of the row only what changes by events of its own is fresh: not seq, numbers or last_message_at. */
export type Place = {
  channel: ChannelRow;
  type: TypeEntry;
  member: MemberRow | undefined;
  /** The actor's capabilities here, with those of the channel's creator if the actor is the creator. */
  capabilities: ReadonlySet<Capability>;
  grants: Grants;
};

export const denied = (capability: Capability, cid: string): ParleyError =>
  new ParleyError('NotAllowed', `Not allowed to ${capability} in ${cid}`);

export const requireCapability = (place: Place, capability: Capability): void => {
  if (!place.capabilities.has(capability)) throw denied(capability, place.channel.cid);
};

/** Whether the actor cleared their history after this was said: to them it is gone. */
export const isCleared = ({ member }: Place, { created_at }: { created_at: string }): boolean =>
  member !== undefined && member.cleared_at !== null && created_at <= member.cleared_at;

/** Requires a capability on what someone wrote: one's own needs less than another's. */
export const requireOn = (place: Place, capability: Capability, isOwn: boolean): void => {
  if (!(isOwn ? place.grants.own : place.grants.any).has(capability))
    throw denied(capability, place.channel.cid);
};

/** Locks the channel for a change of it; always the first lock a transaction takes. */
export const lockChannel = async (db: Db, cid: string): Promise<ChannelRow> => {
  const row = await lockChannelRow(db, cid);
  if (!row || row.deleted_at !== null) throw new ParleyError('NotFound', `No channel ${cid}`);
  return row;
};
