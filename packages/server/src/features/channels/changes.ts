import {
  type Channel,
  type ChannelInput,
  ChannelInputSchema,
  invalid,
  type Member,
  type MemberInput,
  ParleyError,
} from '@parley/protocol';
import type { Updateable } from 'kysely';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { ChannelsTable } from '../../db/schema.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { checkValue } from '../../lib/check.ts';
import { applyPatch, customOf, type PatchBody } from '../../lib/custom.ts';
import { type Members, parseMembers } from '../members/service.ts';
import { type Access, lockChannel, type Place, requireCapability } from './access.ts';
import type { ChannelRow } from './record.ts';
import { channelShape } from './service.ts';
import type { ChannelStates } from './state.ts';
import { listMemberIds } from './store.ts';

export type ChannelUpdate = {
  data?: ChannelInput;
  add_members?: MemberInput[];
  remove_members?: string[];
  add_moderators?: string[];
  demote_moderators?: string[];
  invites?: MemberInput[];
  accept_invite?: boolean;
  reject_invite?: boolean;
};

type Deps = { kernel: Kernel; access: Access; members: Members; states: ChannelStates };
export type ChannelChanges = ReturnType<typeof createChannelChanges>;

type Values = Updateable<ChannelsTable>;
const settable = ['name', 'image', 'frozen', 'cooldown', 'disabled'] as const;

/** Some settings are a right of their own. */
const requireForData = (place: Place, actor: Actor, keys: string[]): void => {
  if (keys.includes('disabled') && actor.kind !== 'server')
    throw new ParleyError('NotAllowed', 'Only the server may disable a channel (disable-channel)');
  if (keys.includes('frozen')) requireCapability(place, 'freeze-channel');
  if (keys.includes('cooldown')) requireCapability(place, 'set-channel-cooldown');
  if (keys.some((key) => !['frozen', 'cooldown', 'disabled'].includes(key)))
    requireCapability(place, 'update-channel');
};

const requireForMembers = (place: Place, actor: Actor, update: ChannelUpdate): void => {
  const own = actorId(actor);
  const onlySelf = (ids: (string | { user_id: string })[] | undefined) =>
    (ids ?? []).every((id) => (typeof id === 'string' ? id : id.user_id) === own);
  if (update.add_members && !place.capabilities.has('update-channel-members')) {
    if (!onlySelf(update.add_members)) requireCapability(place, 'update-channel-members');
    if (update.add_members.some((member) => typeof member !== 'string' && member.channel_role !== undefined))
      requireCapability(place, 'update-channel-members');
    requireCapability(place, 'join-channel');
  }
  if (update.remove_members && !place.capabilities.has('update-channel-members'))
    requireCapability(place, onlySelf(update.remove_members) ? 'leave-channel' : 'update-channel-members');
  if (update.add_moderators || update.demote_moderators || update.invites)
    requireCapability(place, 'update-channel-members');
};

export const createChannelChanges = ({ kernel, access, members, states }: Deps) => {
  const save = async (tx: Tx, cid: string, values: Values): Promise<ChannelRow> => {
    const row = await tx.db
      .updateTable('channels')
      .set({ ...values, updated_at: tx.now })
      .where('cid', '=', cid)
      .returningAll()
      .executeTakeFirstOrThrow();
    tx.stale({ what: 'channel', key: cid });
    return row;
  };

  const tellUpdated = async (tx: Tx, row: ChannelRow): Promise<void> => {
    await tx.event({
      cid: row.cid,
      type: 'channel.updated',
      fields: { channel: await states.publicChannel(row) },
    });
  };

  const replaceData = async (tx: Tx, cid: string, data: ChannelInput): Promise<ChannelRow> => {
    const known = Object.fromEntries(
      settable.flatMap((key) => (data[key] === undefined ? [] : [[key, data[key]]])),
    );
    const row = await save(tx, cid, {
      name: null,
      image: null,
      ...(known as Values),
      data: JSON.stringify(customOf(data, channelShape, 'data')),
    });
    await tellUpdated(tx, row);
    return row;
  };

  const tellMembers = async (tx: Tx, type: string, row: ChannelRow, list: Member[]): Promise<void> => {
    const channel = list.length > 0 ? await states.publicChannel(row) : undefined;
    for (const member of list) tx.tell([member.user_id], type, { channel, member }, row.cid);
  };

  const answerInvite = async (tx: Tx, actor: Actor, row: ChannelRow, accepted: boolean): Promise<void> => {
    const user = actingUser(actor);
    const member = await members.answerInvite(tx, row, user.row.id, accepted);
    const ids = await listMemberIds(tx.db, row.cid);
    const channel = await states.publicChannel(row);
    const type = accepted ? 'notification.invite_accepted' : 'notification.invite_rejected';
    tx.tell([...new Set([...ids, user.row.id])], type, { channel, member }, row.cid);
  };

  const applyMembers = async (
    tx: Tx,
    actor: Actor,
    row: ChannelRow,
    update: ChannelUpdate,
  ): Promise<void> => {
    if (update.add_members) {
      const list = await members.add(tx, row, parseMembers(update.add_members, 'add_members'));
      await tellMembers(tx, 'notification.added_to_channel', row, list);
    }
    if (update.invites) {
      const list = await members.add(tx, row, parseMembers(update.invites, 'invites', true));
      await tellMembers(tx, 'notification.invited', row, list);
    }
    if (update.add_moderators)
      await members.setRole(tx, row, update.add_moderators, 'channel_moderator', 'add_moderators');
    if (update.demote_moderators)
      await members.setRole(tx, row, update.demote_moderators, 'channel_member', 'demote_moderators');
    if (update.accept_invite) await answerInvite(tx, actor, row, true);
    if (update.reject_invite) await answerInvite(tx, actor, row, false);
    if (update.remove_members) {
      const list = await members.remove(tx, row.cid, update.remove_members);
      await tellMembers(tx, 'notification.removed_from_channel', row, list);
    }
  };

  const checkUpdate = async (actor: Actor, cid: string, update: ChannelUpdate): Promise<Place> => {
    const place = await access.enter(actor, cid);
    if (update.data?.members || update.data?.created_by_id)
      throw invalid('data.members', 'members change by add_members and remove_members');
    if (update.accept_invite && update.reject_invite)
      throw invalid('reject_invite', 'an invitation is accepted or rejected, not both');
    if (update.data) requireForData(place, actor, ['name', ...Object.keys(update.data)]);
    requireForMembers(place, actor, update);
    for (const key of ['add_members', 'invites'] as const)
      if (update[key]) await members.checkNew(parseMembers(update[key], key), key);
    return place;
  };

  const patchValues = (patch: PatchBody, row: ChannelRow): Values => {
    const { known, custom } = applyPatch(patch, row.data, channelShape);
    for (const [key, value] of Object.entries(known)) {
      if (key === 'members' || key === 'created_by_id')
        throw invalid(`set.${key}`, `${key} cannot be changed by a patch`);
      if (value !== null) checkValue(ChannelInputSchema.properties[key as 'name'], value, `set.${key}`);
    }
    const defaults = { frozen: false, cooldown: 0, disabled: false, name: null, image: null } as const;
    const values = Object.fromEntries(
      Object.entries(known).map(([key, value]) => [key, value ?? defaults[key as keyof typeof defaults]]),
    );
    return { ...(values as Values), data: JSON.stringify(custom) };
  };

  return {
    async update(
      actor: Actor,
      cid: string,
      update: ChannelUpdate,
    ): Promise<{ channel: Channel; members: Member[] }> {
      await checkUpdate(actor, cid, update);
      const row = await kernel.write(async (tx) => {
        const locked = await lockChannel(tx.db, cid);
        const current = update.data ? await replaceData(tx, cid, update.data) : locked;
        await applyMembers(tx, actor, current, update);
        return current;
      });
      const place = await access.look(actor, cid);
      const fresh = place?.channel ?? row;
      const { members: list } = await members.first(cid, 100);
      const channel = place ? await states.ownChannel(fresh, place) : await states.publicChannel(fresh);
      return { channel, members: list };
    },
    async patch(actor: Actor, cid: string, patch: PatchBody): Promise<Channel> {
      const place = await access.enter(actor, cid);
      requireForData(place, actor, [...Object.keys(patch.set ?? {}), ...(patch.unset ?? [])]);
      const row = await kernel.write(async (tx) => {
        const saved = await save(tx, cid, patchValues(patch, await lockChannel(tx.db, cid)));
        await tellUpdated(tx, saved);
        return saved;
      });
      return states.ownChannel(row, (await access.look(actor, cid)) ?? place);
    },
    async remove(actor: Actor, cid: string, hard: boolean): Promise<Channel> {
      const place = await access.enter(actor, cid);
      requireCapability(place, 'delete-channel');
      if (hard && actor.kind !== 'server')
        throw new ParleyError(
          'NotAllowed',
          'Only the server may delete a channel for good (hard-delete-channel)',
        );
      return kernel.write(async (tx) => {
        await lockChannel(tx.db, cid);
        const ids = await listMemberIds(tx.db, cid);
        const row = await save(tx, cid, { deleted_at: tx.now });
        const channel = await states.publicChannel(row);
        await tx.event({ cid, type: 'channel.deleted', fields: { channel } });
        tx.tell(ids, 'notification.channel_deleted', { channel }, cid);
        if (hard)
          for (const table of ['messages', 'events', 'members', 'channels'] as const)
            await tx.db.deleteFrom(table).where('cid', '=', cid).execute();
        return channel;
      });
    },
    /** Drops every message so far; the channel and its numbers go on. */
    async truncate(actor: Actor, cid: string): Promise<Channel> {
      requireCapability(await access.enter(actor, cid), 'truncate-channel');
      return kernel.write(async (tx) => {
        const locked = await lockChannel(tx.db, cid);
        const last = locked.last_message_at;
        await tx.db.deleteFrom('messages').where('cid', '=', cid).execute();
        await tx.db
          .updateTable('members')
          .set({ read_number: locked.last_number, unread_from: null })
          .where('cid', '=', cid)
          .execute();
        const row = await save(tx, cid, {
          truncated_at: last !== null && last > tx.now ? last : tx.now,
          last_message_at: null,
        });
        const channel = await states.publicChannel(row);
        await tx.event({ cid, type: 'channel.truncated', fields: { channel } });
        tx.tell(await listMemberIds(tx.db, cid), 'notification.channel_truncated', { channel }, cid);
        return channel;
      });
    },
  };
};
