import { type Capability, type ChannelMute, ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { lockChannel, requireCapability } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { MemberRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import type { DueJob } from '../../work/due-job.ts';
import { lockMember, updateMember } from '../members/store.ts';
import { nextMark } from '../reads/record.ts';
import type { Reads } from '../reads/service.ts';
import { toMute } from './record.ts';
import { listMutes } from './store.ts';

type Deps = { kernel: Kernel; access: Access; reads: Reads; expiry: Pick<DueJob, 'wake'> };
type Values = Partial<MemberRow>;

const membersOnly = (cid: string): ParleyError =>
  new ParleyError('NotAllowed', `Only members hide or mute a channel (channel-preferences) in ${cid}`);

/** The settings of a channel that a member makes for themselves: hidden, muted. Nobody else is notified. */
export class ChannelPreferences {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Hides the channel until the next message, and with `clear` what was said so far for good. */
  async hide(actor: Actor, cid: string, clear: boolean): Promise<number> {
    const userId = await this.#enter(actor, cid);
    return this.#deps.kernel.writeFor(actor, async (tx) => {
      const channel = await lockChannel(tx.db, cid);
      // The time is that of the last message, not of the act: what is said in the same millisecond after it is new.
      const cleared_at = channel.last_message_at ?? channel.created_at;
      const member = await this.#lock(tx, cid, userId);
      const read_version = clear ? nextMark(channel, member) : member.read_version;
      const place = { cleared_at, cleared_seq: channel.seq };
      const cleared = { ...place, unread_from: channel.last_number, read_version };
      const own_version = member.own_version + 1;
      const values = { hidden_number: channel.last_number, own_version, ...(clear ? cleared : {}) };
      await this.#save(tx, cid, userId, values);
      const fields = { clear_history: clear, last_number: channel.last_number, own_version };
      const { last_read, last_read_message_id } = member;
      const mark = {
        version: read_version,
        ...(last_read === null ? {} : { last_read }),
        ...(last_read_message_id === null ? {} : { last_read_message_id }),
      };
      const marked = clear ? { cleared_at, mark } : {};
      tx.notify([userId], 'channel.hidden', { ...fields, ...marked }, cid);
      tx.later(() => this.publishMutes(userId));
      return own_version;
    });
  }

  async show(actor: Actor, cid: string): Promise<number> {
    const userId = await this.#enter(actor, cid);
    return this.#deps.kernel.writeFor(actor, async (tx) => {
      await lockChannel(tx.db, cid);
      const own_version = (await this.#lock(tx, cid, userId)).own_version + 1;
      await this.#save(tx, cid, userId, { hidden_number: null, own_version });
      tx.notify([userId], 'channel.visible', { own_version }, cid);
      tx.later(() => this.publishMutes(userId));
      return own_version;
    });
  }

  async mute(actor: Actor, cids: string[], forMs: number | undefined): Promise<ChannelMute[]> {
    const { kernel, expiry } = this.#deps;
    const until = forMs === undefined ? null : isoTime(kernel.clock.now() + forMs);
    const mutes = await this.#setMuted(actor, cids, (now) => ({ muted_at: now, muted_until: until }));
    if (until !== null) expiry.wake(until);
    return mutes;
  }

  unmute(actor: Actor, cids: string[]): Promise<ChannelMute[]> {
    return this.#setMuted(actor, cids, () => ({ muted_at: null, muted_until: null }));
  }

  async mutesOf(userId: string): Promise<ChannelMute[]> {
    const { kernel } = this.#deps;
    return (await listMutes(kernel.db, userId, kernel.now())).map(toMute);
  }

  /** All or none: a channel that may not be muted keeps the others as they were. */
  async #setMuted(actor: Actor, given: string[], values: (now: string) => Values): Promise<ChannelMute[]> {
    const { kernel } = this.#deps;
    const cids = [...new Set(given)].sort();
    const userId = actingUser(actor).row.id;
    for (const cid of cids) await this.#enter(actor, cid, 'mute-channel');
    await kernel.writeFor(actor, async (tx) => {
      for (const cid of cids) await lockChannel(tx.db, cid);
      for (const cid of cids) await this.#save(tx, cid, userId, values(tx.now));
      tx.later(() => this.publishMutes(userId));
    });
    return this.mutesOf(userId);
  }

  /** Publishes what a user has muted now, and what is unread in what is neither muted nor hidden. */
  publishMutes(userId: string): void {
    const read = async () => ({ channel_mutes: await this.mutesOf(userId) });
    this.#deps.reads.notify(userId, 'notification.channel_mutes_updated', read);
  }

  async #enter(actor: Actor, cid: string, capability?: Capability): Promise<string> {
    const userId = actingUser(actor).row.id;
    const place = await this.#deps.access.enter(actor, cid);
    if (!place.member) throw membersOnly(cid);
    if (capability) requireCapability(place, capability);
    return userId;
  }

  async #lock(tx: Tx, cid: string, userId: string): Promise<MemberRow> {
    const member = await lockMember(tx.db, cid, userId);
    if (!member) throw membersOnly(cid);
    return member;
  }

  async #save(tx: Tx, cid: string, userId: string, values: Values): Promise<void> {
    await updateMember(tx.db, await this.#lock(tx, cid, userId), values);
    tx.stale({ what: 'member', key: cid, userId });
  }
}
