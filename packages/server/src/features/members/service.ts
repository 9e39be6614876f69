import { invalid, type Member, type MemberInput, MemberSchema, ParleyError } from '@parley/protocol';
import type { Kysely } from 'kysely';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { Database } from '../../db/schema.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { applyPatch, customOf, type PatchBody, shapeOf } from '../../lib/custom.ts';
import { boolField, defineFields, idField, textField, timeField } from '../../query/fields.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import { type Access, lockChannel, requireCapability } from '../channels/access.ts';
import type { ChannelRow } from '../channels/record.ts';
import type { Presence } from '../presence/registry.ts';
import { lockMember, updateMember } from '../reads/store.ts';
import type { UserCache } from '../users/cache.ts';
import { type MemberRow, toMember } from './record.ts';

const shape = shapeOf({ properties: { user_id: true, channel_role: true } }, MemberSchema);

const fields = defineFields(
  {
    user_id: idField('members.user_id', { sort: { nullable: false } }),
    name: textField('users.name', { sort: { nullable: true } }),
    channel_role: idField('members.channel_role'),
    invited: boolField('members.invited'),
    banned: boolField('members.banned'),
    created_at: timeField('members.created_at', { sort: { nullable: false } }),
  },
  {
    resource: 'members',
    tieBreaker: 'user_id',
    defaultSort: [{ field: 'created_at', direction: 1 }],
    custom: 'members.data',
  },
);

export type NewMember = { userId: string; role: string; data: Record<string, unknown>; invited: boolean };

/** What a caller said of members to add, in one form. */
export const parseMembers = (inputs: MemberInput[], path: string, invited = false): NewMember[] =>
  inputs.map((input, index) => {
    if (typeof input === 'string') return { userId: input, role: 'channel_member', data: {}, invited };
    const data = customOf(input, shape, `${path}.${index}`);
    return { userId: input.user_id, role: input.channel_role ?? 'channel_member', data, invited };
  });

const listMembers = (db: Kysely<Database>, cid: string, most: number): Promise<MemberRow[]> =>
  db
    .selectFrom('members')
    .selectAll()
    .where('cid', '=', cid)
    .orderBy('created_at')
    .orderBy('user_id')
    .limit(most)
    .execute();

type Deps = {
  kernel: Kernel;
  access: Access;
  users: UserCache;
  presence: Presence;
  roleExists(name: string): Promise<boolean>;
};
export type Members = ReturnType<typeof createMembers>;

export const createMembers = ({ kernel, access, users, presence, roleExists }: Deps) => {
  /** Members see who is online; events show everyone the same. */
  const record = async (row: MemberRow, withPresence: boolean): Promise<Member> => {
    const entry = await users.get(row.user_id);
    const user =
      entry && withPresence ? presence.withPresence(entry.user, entry.row.last_active) : entry?.user;
    return toMember(row, user);
  };

  const changed = async (tx: Tx, type: string, row: MemberRow, count: number): Promise<Member> => {
    const member = await record(row, false);
    tx.stale({ what: 'member', key: row.cid, userId: row.user_id });
    await tx.event({
      cid: row.cid,
      type,
      userId: row.user_id,
      fields: { member, user: member.user, member_count: count },
    });
    return member;
  };

  const recount = async (tx: Tx, cid: string): Promise<number> => {
    const { count } = await tx.db
      .selectFrom('members')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('cid', '=', cid)
      .executeTakeFirstOrThrow();
    await tx.db.updateTable('channels').set({ member_count: count }).where('cid', '=', cid).execute();
    tx.stale({ what: 'channel', key: cid });
    return count;
  };

  const checkNew = async (list: NewMember[], path: string): Promise<void> => {
    const found = await users.getMany(list.map((member) => member.userId));
    for (const [index, { userId, role }] of list.entries()) {
      const entry = found.get(userId);
      if (!entry || entry.row.deleted_at !== null) throw invalid(`${path}.${index}`, `no user ${userId}`);
      if (!(await roleExists(role)))
        throw invalid(`${path}.${index}.channel_role`, `no role is called "${role}"`);
    }
  };

  /** Adds who is not yet a member. */
  const add = async (tx: Tx, channel: ChannelRow, list: NewMember[]): Promise<Member[]> => {
    const added: MemberRow[] = [];
    for (const { userId, role, data, invited } of list) {
      const row = await tx.db
        .insertInto('members')
        .values({
          cid: channel.cid,
          user_id: userId,
          channel_role: role,
          invited,
          data: JSON.stringify(data),
          created_at: tx.now,
          updated_at: tx.now,
          // What was said before one came is there to read but not to catch up with.
          read_number: channel.last_number,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (row) added.push(row);
    }
    if (added.length === 0) return [];
    const count = await recount(tx, channel.cid);
    const members: Member[] = [];
    for (const row of added) members.push(await changed(tx, 'member.added', row, count));
    return members;
  };

  const remove = async (tx: Tx, cid: string, userIds: string[]): Promise<Member[]> => {
    const rows = await tx.db
      .deleteFrom('members')
      .where('cid', '=', cid)
      .where('user_id', '=', (eb) => eb.fn('any', [eb.val(userIds)]))
      .returningAll()
      .execute();
    if (rows.length === 0) return [];
    const count = await recount(tx, cid);
    const members: Member[] = [];
    for (const row of rows) members.push(await changed(tx, 'member.removed', row, count));
    return members;
  };

  const setRole = async (
    tx: Tx,
    channel: ChannelRow,
    userIds: string[],
    role: string,
    path: string,
  ): Promise<void> => {
    for (const [index, userId] of userIds.entries()) {
      const member = await lockMember(tx.db, channel.cid, userId);
      if (!member) throw invalid(`${path}.${index}`, `${userId} is not a member`);
      const row = await updateMember(tx.db, member, { channel_role: role, updated_at: tx.now });
      await changed(tx, 'member.updated', row, channel.member_count);
    }
  };

  /** Takes or turns down an invitation. */
  const answerInvite = async (
    tx: Tx,
    channel: ChannelRow,
    userId: string,
    accepted: boolean,
  ): Promise<Member> => {
    const member = await lockMember(tx.db, channel.cid, userId);
    if (!member?.invited)
      throw invalid(accepted ? 'accept_invite' : 'reject_invite', 'there is no invitation to answer');
    if (!accepted) {
      const [gone] = await remove(tx, channel.cid, [userId]);
      if (!gone) throw new ParleyError('Internal');
      return { ...gone, invite_rejected_at: tx.now };
    }
    const row = await updateMember(tx.db, member, {
      invited: false,
      invite_accepted_at: tx.now,
      updated_at: tx.now,
    });
    return changed(tx, 'member.updated', row, channel.member_count);
  };

  return {
    add,
    remove,
    async memberOf(tx: Tx, cid: string, userId: string): Promise<Member | undefined> {
      const row = await lockMember(tx.db, cid, userId);
      return row && record(row, false);
    },
    async first(cid: string, most: number): Promise<{ members: Member[] }> {
      const rows = await listMembers(kernel.db, cid, most);
      return { members: await Promise.all(rows.map((row) => record(row, true))) };
    },
    setRole,
    answerInvite,
    checkNew,
    async patch(actor: Actor, cid: string, targetId: string | undefined, patch: PatchBody): Promise<Member> {
      const place = await access.enter(actor, cid);
      const userId = targetId ?? actingUser(actor).row.id;
      const setsRole = patch.set?.channel_role !== undefined;
      if (userId !== actorId(actor) || setsRole) requireCapability(place, 'update-channel-members');
      const role = patch.set?.channel_role;
      if (setsRole && (typeof role !== 'string' || !(await roleExists(role))))
        throw invalid('set.channel_role', `no role is called "${String(role)}"`);
      for (const key of ['user_id', 'channel_role'])
        if (patch.unset?.includes(key)) throw invalid(`unset.${key}`, `${key} cannot be unset`);
      if (patch.set && 'user_id' in patch.set) throw invalid('set.user_id', 'user_id cannot be changed');
      return kernel.write(async (tx) => {
        const channel = await lockChannel(tx.db, cid);
        const member = await lockMember(tx.db, cid, userId);
        if (!member) throw new ParleyError('NotFound', `${userId} is not a member of ${cid}`);
        const { custom } = applyPatch(patch, member.data, shape);
        await tx.db
          .updateTable('members')
          .set({ data: JSON.stringify(custom) })
          .where('cid', '=', cid)
          .where('user_id', '=', userId)
          .execute();
        const row = await updateMember(tx.db, member, {
          ...(setsRole ? { channel_role: role as string } : {}),
          updated_at: tx.now,
        });
        return changed(tx, 'member.updated', row, channel.member_count);
      });
    },
    async query(actor: Actor, cid: string, request: PageRequest) {
      requireCapability(await access.enter(actor, cid), 'read-channel-members');
      const page = await queryPage(
        kernel.db
          .selectFrom('members')
          .innerJoin('users', 'users.id', 'members.user_id')
          .selectAll('members')
          .where('members.cid', '=', cid),
        request,
        {
          fields,
          context: { actorId: actorId(actor) ?? null },
          cursorKey: kernel.config.apiSecret,
          scope: cid,
        },
      );
      const members = await Promise.all(page.rows.map((row) => record(row as MemberRow, true)));
      return { members, ...(page.next === undefined ? {} : { next: page.next }) };
    },
  };
};
