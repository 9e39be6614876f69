import {
  type Capability,
  channelRoles,
  invalid,
  type Member,
  type MemberInput,
  MemberSchema,
  ParleyError,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { checkNewLinks } from '../../access/links.ts';
import { requireCapability } from '../../access/place.ts';
import { type Acting, requireAbove, requireGrant, type Target } from '../../access/ranks.ts';
import { type Actor, actingUser, actorId, refuseBanned } from '../../auth/actor.ts';
import type { ChannelRow, MemberRow } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import { neverShown } from '../../db/unbegun.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { applyPatch, customOf, type PatchBody, shapeOf } from '../../lib/custom.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import { createHook } from '../../wiring/hooks.ts';
import type { UserCache } from '../users/cache.ts';
import { lockActor } from './lock-actor.ts';
import { splitOwnSettings } from './own-settings.ts';
import { toMember, toOwnMember } from './record.ts';
import {
  countMembers,
  insertMember,
  listMembers,
  lockMember,
  memberFields,
  removeMembers,
  selectMembers,
  setMemberCount,
  updateMember,
} from './store.ts';

const shape = shapeOf({ properties: { user_id: true, channel_role: true } }, MemberSchema, [
  'cid',
  'role',
  'muted',
  'hidden',
]);

export type NewMember = {
  userId: string;
  role: string;
  data: Record<string, unknown>;
  invited: boolean;
  invitedBy?: string | undefined;
  /** Hides the channel from the new member until the first message. */
  isHidden?: boolean;
};

/** Brings the members that a caller wants to add into one form. */
export const parseMembers = (inputs: MemberInput[], path: string, invited = false): NewMember[] =>
  inputs.map((input, index) => {
    if (typeof input === 'string') return { userId: input, role: 'channel_member', data: {}, invited };
    const data = customOf(input, shape, `${path}.${index}`);
    return { userId: input.user_id, role: input.channel_role ?? 'channel_member', data, invited };
  });

/** Takes part in the transaction in which people leave a channel, under its lock. */
export type LeaveHook = (tx: Tx, cid: string, userIds: string[]) => Promise<void>;

type Deps = {
  kernel: Kernel;
  access: Access;
  users: UserCache;
  presence: Presence;
};

/** `path` names the users in what the caller sent. */
type RoleChange = { userIds: string[]; role: string; path: string };

const checkFixed = (patch: PatchBody): void => {
  for (const key of ['user_id', 'channel_role'])
    if (patch.unset?.includes(key)) throw invalid(`unset.${key}`, `${key} cannot be unset`);
  if (patch.set && 'user_id' in patch.set) throw invalid('set.user_id', 'user_id cannot be changed');
};

function checkRole(role: unknown, path: string): asserts role is string {
  if (!channelRoles.some((one) => one === role))
    throw invalid(path, `must be one of ${channelRoles.join(', ')}`);
}

const rowOf = (tx: Tx, channel: ChannelRow, { userId, role, data, ...added }: NewMember) => ({
  cid: channel.cid,
  user_id: userId,
  channel_role: role,
  invited: added.invited,
  invited_by: added.invitedBy ?? null,
  data: JSON.stringify(data),
  created_at: tx.now,
  updated_at: tx.now,
  // A new member can read earlier messages, but none of them counts as unread.
  read_number: channel.last_number,
  hidden_number: added.isHidden ? neverShown : null,
});

/** The rights needed to change the membership of another: one for the role, one for its custom data. */
const rightsFor = (patch: PatchBody | undefined): Capability[] => {
  const { channel_role: role, ...rest } = patch?.set ?? {};
  const isRest = Object.keys(rest).length + (patch?.unset?.length ?? 0) > 0;
  return [
    ...(role === undefined ? [] : ['grant-channel-roles' as const]),
    ...(isRest || role === undefined ? ['update-channel-members' as const] : []),
  ];
};

/** A membership is shown to everyone in the channel: who is banned says nothing by it, nobody does in a frozen channel, and who may not
 * send links sends none. */
const refuseToSpeak = (
  { actor, place }: Acting,
  isOwn: boolean,
  { before, data }: Record<'before' | 'data', Record<string, unknown>>,
): void => {
  if (isOwn) refuseBanned(actor, 'update-own-membership');
  if (isOwn && actor.kind !== 'server' && place.member?.banned)
    throw new ParleyError('NotAllowed', 'Not allowed while banned (update-own-membership)');
  if (isOwn && (place.channel.frozen || place.channel.disabled)) requireCapability(place, 'freeze-channel');
  checkNewLinks(place, before, data);
};

/** The members of channels. The methods that take a transaction are for callers who hold the channel's lock. */
export class Members {
  readonly hooks = { left: createHook<LeaveHook>() };
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async checkNew(list: NewMember[], path: string): Promise<void> {
    const found = await this.#deps.users.getMany(
      this.#deps.kernel.db,
      list.map((member) => member.userId),
    );
    for (const [index, { userId, role }] of list.entries()) {
      const entry = found.get(userId);
      if (!entry || entry.row.deleted_at !== null) throw invalid(`${path}.${index}`, `no user ${userId}`);
      checkRole(role, `${path}.${index}.channel_role`);
    }
  }

  /** Adds who is not yet a member. */
  async add(tx: Tx, channel: ChannelRow, list: NewMember[]): Promise<Member[]> {
    const added: MemberRow[] = [];
    for (const member of list) {
      const row = await insertMember(tx.db, rowOf(tx, channel, member), added.length);
      if (row) added.push(row);
    }
    if (added.length === 0) return [];
    const count = await this.#recount(tx, channel.cid);
    const members: Member[] = [];
    for (const row of added)
      members.push(
        await this.#publish(tx, 'member.added', row, {
          member_count: count,
          last_number: channel.last_number,
        }),
      );
    return members;
  }

  /** Removes others, of whom each must stand below who acts, and who acts themselves. */
  async removeBy(tx: Tx, acting: Acting, userIds: string[]): Promise<Member[]> {
    const { cid } = acting.place.channel;
    for (const userId of userIds) {
      if (userId === actorId(acting.actor)) continue;
      const member = await lockMember(tx.db, cid, userId);
      if (member) requireAbove(acting, 'remove-channel-members', await this.#target(tx, member));
    }
    return this.remove(tx, cid, userIds);
  }

  async remove(tx: Tx, cid: string, userIds: string[]): Promise<Member[]> {
    const rows = await removeMembers(tx.db, cid, userIds);
    if (rows.length === 0) return [];
    for (const hook of this.hooks.left.answers)
      await hook(
        tx,
        cid,
        rows.map((row) => row.user_id),
      );
    const count = await this.#recount(tx, cid);
    const members: Member[] = [];
    for (const row of rows)
      members.push(await this.#publish(tx, 'member.removed', row, { member_count: count }));
    return members;
  }

  async setRole(tx: Tx, acting: Acting, { userIds, role, path }: RoleChange): Promise<void> {
    const { channel } = acting.place;
    for (const [index, userId] of userIds.entries()) {
      const member = await lockMember(tx.db, channel.cid, userId);
      if (!member) throw invalid(`${path}.${index}`, `${userId} is not a member`);
      requireGrant(acting, { userId, role, current: await this.#target(tx, member) });
      const row = await updateMember(tx.db, member, { channel_role: role, updated_at: tx.now });
      await this.#publish(tx, 'member.updated', row, { member_count: channel.member_count });
    }
  }

  /** Takes or turns down an invitation. */
  async answerInvite(tx: Tx, channel: ChannelRow, userId: string, accepted: boolean): Promise<Member> {
    const member = await lockMember(tx.db, channel.cid, userId);
    if (!member?.invited)
      throw invalid(accepted ? 'accept_invite' : 'reject_invite', 'there is no invitation to answer');
    if (!accepted) {
      const [gone] = await this.remove(tx, channel.cid, [userId]);
      if (!gone) throw new ParleyError('Internal');
      return { ...gone, invite_rejected_at: tx.now };
    }
    const row = await updateMember(tx.db, member, {
      invited: false,
      invite_accepted_at: tx.now,
      updated_at: tx.now,
    });
    return this.#publish(tx, 'member.updated', row, { member_count: await this.#recount(tx, channel.cid) });
  }

  async memberOf(tx: Tx, cid: string, userId: string): Promise<Member | undefined> {
    const row = await lockMember(tx.db, cid, userId);
    return row && this.#record(tx.db, row, false);
  }

  async first(cid: string, most: number): Promise<Member[]> {
    const { db } = this.#deps.kernel;
    const rows = await listMembers(db, cid, most);
    return Promise.all(rows.map((row) => this.#record(db, row, true)));
  }

  async patch(actor: Actor, cid: string, targetId: string | undefined, given: PatchBody): Promise<Member> {
    const place = await this.#deps.access.enter(actor, cid);
    const userId = targetId ?? actingUser(actor).row.id;
    const isOwn = userId === actorId(actor);
    const { ownSettings, patch } = splitOwnSettings(given, isOwn);
    const role = patch?.set?.channel_role;
    for (const right of isOwn ? [] : rightsFor(patch)) requireCapability(place, right);
    if (role !== undefined) checkRole(role, 'set.channel_role');
    if (patch) checkFixed(patch);
    return this.#deps.kernel.writeFor(actor, async (tx) => {
      const acting = await lockActor(tx, place, actor);
      const { channel } = acting.place;
      const member = await lockMember(tx.db, cid, userId);
      if (!member) throw new ParleyError('NotFound', `${userId} is not a member of ${cid}`);
      const current = await this.#target(tx, member);
      if (!isOwn) for (const right of rightsFor(patch)) requireAbove(acting, right, current);
      if (role !== undefined) requireGrant(acting, { userId, role, current });
      const data = patch && applyPatch(patch, member.data, shape).custom;
      if (data) refuseToSpeak(acting, isOwn, { before: member.data, data });
      const placed = ownSettings ? await updateMember(tx.db, member, ownSettings(member, tx.now)) : member;
      const row = data
        ? await updateMember(tx.db, member, {
            ...(role === undefined ? {} : { channel_role: role }),
            data,
            updated_at: tx.now,
          })
        : placed;
      const numbers = { member_count: channel.member_count };
      const published = patch && (await this.#publish(tx, 'member.updated', row, numbers));
      if (!isOwn && published) return published;
      const own = toOwnMember(row, (await this.#record(tx.db, row, false)).user);
      if (ownSettings) this.#notifyOwner(tx, row, { member: own, user: own.user, ...numbers });
      return own;
    });
  }

  /** Notifies the member alone, outside the log: their settings of a channel are their own. */
  #notifyOwner(tx: Tx, { cid, user_id }: MemberRow, fields: Record<string, unknown>): void {
    tx.stale({ what: 'member', key: cid, userId: user_id });
    tx.notify([user_id], 'member.updated', fields, cid);
  }

  async query(actor: Actor, cid: string, request: PageRequest) {
    const { kernel, access } = this.#deps;
    requireCapability(await access.enter(actor, cid), 'read-channel-members');
    const page = await queryPage(selectMembers(kernel.pools.queries, cid), request, {
      fields: memberFields,
      context: { actorId: actorId(actor) ?? null },
      cursorKey: kernel.config.apiSecret,
      scope: cid,
    });
    const members = await Promise.all(page.rows.map((row) => this.#record(kernel.db, row, true)));
    return { members, ...(page.next === undefined ? {} : { next: page.next }) };
  }

  /** The member with their role in the app, from the users that are known: each of them is read for the event anyway. */
  async #target({ db }: Tx, member: MemberRow): Promise<Target> {
    return { member, appRole: (await this.#deps.users.get(db, member.user_id))?.row.role };
  }

  /** Members see who is online; events show everyone the same. */
  async #record(db: Db, row: MemberRow, withPresence: boolean): Promise<Member> {
    const { users, presence } = this.#deps;
    const entry = await users.get(db, row.user_id);
    const user =
      entry && withPresence ? presence.withPresence(entry.user, entry.row.last_active) : entry?.user;
    return toMember(row, user);
  }

  async #publish(tx: Tx, type: string, row: MemberRow, numbers: Record<string, number>): Promise<Member> {
    const member = await this.#record(tx.db, row, false);
    tx.stale({ what: 'member', key: row.cid, userId: row.user_id });
    await tx.event({
      cid: row.cid,
      type,
      userId: row.user_id,
      fields: { member, user: member.user, ...numbers },
    });
    return member;
  }

  async #recount(tx: Tx, cid: string): Promise<number> {
    const count = await countMembers(tx.db, cid);
    await setMemberCount(tx.db, cid, count);
    tx.stale({ what: 'channel', key: cid });
    return count;
  }
}
