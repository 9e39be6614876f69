import {
  type Channel,
  type ChannelInput,
  ChannelInputSchema,
  invalid,
  limits,
  type Member,
  ParleyError,
} from '@parley/protocol';
import type { Updateable } from 'kysely';
import type { Access } from '../../access/access.ts';
import { requireCapability } from '../../access/place.ts';
import type { Actor } from '../../auth/actor.ts';
import type { ChannelRow } from '../../db/rows.ts';
import type { ChannelsTable } from '../../db/schema.ts';
import { isConnectionLost } from '../../events/unsure-commits.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { checkPatched, patchedValue } from '../../lib/check.ts';
import { applyPatch, customOf, type PatchBody } from '../../lib/custom.ts';
import { defined } from '../../lib/defined.ts';
import { deleteLive } from '../locations/store.ts';
import { lockActor } from '../members/lock-actor.ts';
import type { Members } from '../members/service.ts';
import { deleteAllMembers, listReaderIds, showToAll, updateAllMembers } from '../members/store.ts';
import type { ReadCounter } from '../reads/counts.ts';
import type { AddTask, Tasks } from '../tasks/service.ts';
import { channelShape } from './creation.ts';
import { emptyInSteps, type OnStep } from './emptying.ts';
import { type Emptying, isSmall, removeMessages } from './emptying-store.ts';
import { Membership } from './membership.ts';
import type { ChannelStates } from './state.ts';
import { deleteChannel, lockLog, updateChannel } from './store.ts';
import { type ChannelUpdate, checkUpdate, requireForData } from './update-rules.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  members: Members;
  states: ChannelStates;
  counter: ReadCounter;
  tasks: Tasks;
};

type Values = Updateable<ChannelsTable>;
const patchable = ['name', 'image', 'frozen', 'cooldown', 'disabled'] as const;
const mostMembersShown = 100;

const save = async (tx: Tx, cid: string, values: Values): Promise<ChannelRow> => {
  const row = await updateChannel(tx.db, cid, { ...values, updated_at: tx.now });
  tx.stale({ what: 'channel', key: cid });
  return row;
};

/** A channel that another call removed and somebody made anew meanwhile has another log, and stays. */
const removeRows = async (db: Tx['db'], { cid, log_id }: ChannelRow): Promise<void> => {
  if (!(await lockLog(db, cid, log_id))) return;
  await removeMessages(db, cid);
  await deleteAllMembers(db, cid);
  await deleteChannel(db, cid);
};

/** All data anew: what is not said is gone, but for the switches. */
const replacedValues = (data: ChannelInput): Values => {
  const { name = null, image = null, frozen, cooldown, disabled } = data;
  return {
    ...{ name, image, ...defined({ frozen, cooldown, disabled }) },
    data: JSON.stringify(customOf(data, channelShape, 'data')),
  };
};

const patchedValues = (patch: PatchBody, row: ChannelRow): Values => {
  const { known, custom } = applyPatch(patch, row.data, channelShape);
  for (const key of ['members', 'created_by_id'])
    if (key in known) throw invalid(`set.${key}`, `${key} cannot be changed by a patch`);
  const { name, image, ...switches } = checkPatched(ChannelInputSchema, patchable, known);
  return {
    ...defined({ name, image }),
    frozen: patchedValue(switches.frozen, row.frozen, false),
    cooldown: patchedValue(switches.cooldown, row.cooldown, 0),
    disabled: patchedValue(switches.disabled, row.disabled, false),
    data: JSON.stringify(custom),
  };
};

/** Changes of channels that exist. */
export class ChannelChanges {
  #deps: Deps;
  #membership: Membership;
  #addEmptying: AddTask<Emptying>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#membership = new Membership(deps);
    this.#addEmptying = deps.tasks.define<Emptying>('empty-channel', async ({ input, report }) => {
      await emptyInSteps(deps.kernel, input, report);
      return { cid: input.cid };
    });
  }

  async update(
    actor: Actor,
    cid: string,
    update: ChannelUpdate,
  ): Promise<{ channel: Channel; members: Member[]; seq: number }> {
    const { kernel, access, members, states } = this.#deps;
    const before = await access.enter(actor, cid);
    checkUpdate(before, actor, update);
    await this.#membership.check(update);
    const { row, seq } = await kernel.writeFor(actor, async (tx) => {
      const acting = await lockActor(tx, before, actor);
      checkUpdate(acting.place, actor, update);
      const channel = update.data
        ? await this.#saveAndPublish(tx, cid, replacedValues(update.data))
        : acting.place.channel;
      await this.#membership.apply(tx, { actor, place: { ...acting.place, channel } }, update);
      return { row: channel, seq: tx.seqs.get(cid) ?? acting.place.channel.seq };
    });
    const place = await access.look(actor, cid);
    const fresh = place?.channel ?? row;
    const channel = place
      ? await states.ownChannel(fresh, place)
      : await states.publicChannel(kernel.db, fresh);
    const shown = place?.capabilities.has('read-channel-members')
      ? await members.first(cid, mostMembersShown)
      : [];
    return { channel, members: shown, seq };
  }

  async patch(actor: Actor, cid: string, patch: PatchBody): Promise<{ channel: Channel; seq: number }> {
    const { kernel, access, states } = this.#deps;
    const place = await access.enter(actor, cid);
    const fields = [...Object.keys(patch.set ?? {}), ...(patch.unset ?? [])];
    requireForData(place, actor, fields);
    const { row, seq } = await kernel.writeFor(actor, async (tx) => {
      const { place: now } = await lockActor(tx, place, actor);
      requireForData(now, actor, fields);
      const locked = now.channel;
      const saved = await this.#saveAndPublish(tx, cid, patchedValues(patch, locked));
      return { row: saved, seq: tx.seqs.get(cid) ?? locked.seq };
    });
    const channel = await states.ownChannel(row, (await access.look(actor, cid)) ?? place);
    return { channel, seq };
  }

  async remove(actor: Actor, cid: string, hard: boolean, onStep?: OnStep): Promise<Channel> {
    const { kernel, access, states } = this.#deps;
    // A softly deleted channel is gone for everyone but the server, which may still delete it for good.
    const before = hard && actor.kind === 'server' ? await access.find(cid) : undefined;
    if (before?.deleted_at) return this.#purge(before, onStep);
    const place = await access.enter(actor, cid);
    requireCapability(place, 'delete-channel');
    if (hard && actor.kind !== 'server')
      throw new ParleyError(
        'NotAllowed',
        'Only the server may delete a channel for good (hard-delete-channel)',
      );
    const deleted = await kernel.writeFor(actor, async (tx) => {
      requireCapability((await lockActor(tx, place, actor)).place, 'delete-channel');
      const ids = await listReaderIds(tx.db, cid, await access.readers(tx.db));
      const row = await save(tx, cid, { deleted_at: tx.now, distinct_key: null });
      const channel = await states.publicChannel(tx.db, row);
      await tx.event({ cid, type: 'channel.deleted', fields: { channel } });
      tx.notify(ids, 'notification.channel_deleted', { channel }, cid);
      return { row, channel };
    });
    return hard ? this.#purge(deleted.row, onStep) : deleted.channel;
  }

  /** Nobody sees it any more: its deletion was published when it was marked as deleted. */
  async #purge(row: ChannelRow, onStep?: OnStep): Promise<Channel> {
    const { kernel, states } = this.#deps;
    const { cid, log_id: logId } = row;
    await emptyInSteps(kernel, { cid, logId, upTo: row.seq + 1 }, onStep);
    const finish = () =>
      kernel.write(async (tx) => {
        const channel = await states.publicChannel(tx.db, row);
        await removeRows(tx.db, row);
        tx.stale({ what: 'channel', key: cid });
        return channel;
      });
    // Where the answer was lost, a second time removes what is left, if anything.
    return finish().catch((error: unknown) => {
      if (!isConnectionLost(error)) throw error;
      return finish();
    });
  }

  /** Drops every message so far; the channel and its numbers go on. */
  async truncate(actor: Actor, cid: string): Promise<{ channel: Channel; task_id?: string }> {
    const { kernel, access, tasks } = this.#deps;
    const before = await access.enter(actor, cid);
    requireCapability(before, 'truncate-channel');
    const truncated = await kernel.writeFor(actor, async (tx) => {
      const { place } = await lockActor(tx, before, actor);
      requireCapability(place, 'truncate-channel');
      const locked = place.channel;
      if (await isSmall(tx.db, cid)) {
        await removeMessages(tx.db, cid);
        return { channel: await this.#truncate(tx, locked) };
      }
      const channel = await this.#truncate(tx, locked);
      const emptying: Emptying = { cid, logId: locked.log_id, upTo: locked.seq };
      return { channel, task_id: await this.#addEmptying(actor, emptying, tx.db) };
    });
    if (truncated.task_id !== undefined) tasks.wake();
    return truncated;
  }

  /** Hides all messages so far in one short transaction; their rows are removed later. */
  async #truncate(tx: Tx, { cid, last_message_at: last, last_number, seq }: ChannelRow): Promise<Channel> {
    const read_version = (seq + 1) * limits.marksPerEvent;
    await updateAllMembers(tx.db, cid, { read_number: last_number, unread_from: null, read_version });
    if (last !== null) await showToAll(tx.db, cid);
    // Else a step of a share that was truncated would be published until its row is removed.
    await deleteLive(tx.db, cid);
    const truncatedAt = last !== null && last > tx.now ? last : tx.now;
    // The events of the messages are deleted with them: a cursor of before gets a fresh snapshot.
    const floors = { log_floor: seq, emptied_seq: seq };
    const row = await save(tx, cid, { truncated_at: truncatedAt, last_message_at: null, ...floors });
    const channel = await this.#deps.states.publicChannel(tx.db, row);
    await tx.event({ cid, type: 'channel.truncated', fields: { channel, last_number } });
    const readers = await listReaderIds(tx.db, cid, await this.#deps.access.readers(tx.db));
    tx.notify(readers, 'notification.channel_truncated', { channel }, cid);
    return channel;
  }

  async #saveAndPublish(tx: Tx, cid: string, values: Values): Promise<ChannelRow> {
    const row = await save(tx, cid, values);
    const channel = await this.#deps.states.publicChannel(tx.db, row);
    await tx.event({ cid, type: 'channel.updated', fields: { channel } });
    return row;
  }
}
