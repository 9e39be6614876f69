import {
  type ChannelInput,
  ChannelInputSchema,
  ChannelSchema,
  invalid,
  type MemberInput,
  ParleyError,
} from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { rolesOf } from '../../access/grants.ts';
import { hasLink } from '../../access/links.ts';
import { lockChannel } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { ChannelRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { customOf, shapeOf } from '../../lib/custom.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import { type Members, type NewMember, parseMembers } from '../members/service.ts';
import type { ChannelStates } from './state.ts';
import { insertChannel, updateChannel } from './store.ts';

export const channelShape = shapeOf(ChannelInputSchema, ChannelSchema, [
  'created_by',
  'distinct_key',
  'distinct_members',
  'last_number',
  'permissions',
  'pinned',
  'archived',
  'seq',
]);

/** The channel to create. `distinct` is set for the one channel of exactly these people. */
export type NewChannel = {
  type: string;
  id: string;
  input: ChannelInput;
  distinct: { key: string; people: string[] } | null;
};

type CheckedChannel = NewChannel & { members: NewMember[]; creatorId: string };
type Deps = {
  kernel: Kernel;
  types: ChannelTypes;
  access: Access;
  members: Members;
  states: ChannelStates;
};

const withCreator = (list: NewMember[], creatorId: string): NewMember[] =>
  list.some((member) => member.userId === creatorId)
    ? list
    : [{ userId: creatorId, role: 'channel_member', data: {}, invited: false }, ...list];

const settingRights = [
  ['frozen', 'freeze-channel'],
  ['cooldown', 'set-channel-cooldown'],
] as const;

/** The creator of a channel has no say over roles before it exists. */
const refuseRoles = (members: MemberInput[]): void => {
  for (const [index, member] of members.entries())
    if (typeof member !== 'string' && member.channel_role !== undefined)
      throw invalid(
        `data.members.${index}.channel_role`,
        'only the server gives roles when a channel is made (grant-channel-roles)',
      );
};

const insert = (
  tx: Tx,
  { type, id, input, distinct, creatorId }: CheckedChannel,
): Promise<ChannelRow | undefined> =>
  insertChannel(tx.db, {
    cid: `${type}:${id}`,
    type,
    id,
    name: input.name ?? null,
    image: input.image ?? null,
    data: JSON.stringify(customOf(input, channelShape, 'data')),
    created_by: creatorId,
    created_at: tx.now,
    updated_at: tx.now,
    frozen: input.frozen ?? false,
    disabled: input.disabled ?? false,
    cooldown: input.cooldown ?? 0,
    distinct_key: distinct?.key ?? null,
    distinct_members: distinct?.people ?? null,
  });

/** Creates channels. */
export class ChannelCreation {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** False when someone else created it in the meantime. The creator is a member, unless the server creates it. */
  async create(actor: Actor, channel: NewChannel): Promise<boolean> {
    const creatorId = actingUser(actor).row.id;
    await this.#checkMayCreate(actor, channel);
    if (actor.kind !== 'server') refuseRoles(channel.input.members ?? []);
    const given = parseMembers(channel.input.members ?? [], 'data.members');
    const all = actor.kind === 'server' ? given : withCreator(given, creatorId);
    // A person who opens a direct conversation and writes nothing has said nothing: the others see it with its first message.
    const isQuiet = channel.distinct !== null && actor.kind !== 'server';
    const members = isQuiet ? all.map((one) => ({ ...one, isHidden: one.userId !== creatorId })) : all;
    await this.#deps.members.checkNew(members, 'data.members');
    return this.#store({ ...channel, members, creatorId });
  }

  /** Adds a person who left a direct conversation again when they ask for it. */
  async rejoin(actor: Actor, cid: string, people: string[]): Promise<void> {
    const { kernel, access, members, states } = this.#deps;
    const { row: user } = actingUser(actor);
    const place = await access.look(actor, cid);
    if (!place || (place.member && place.channel.distinct_members)) return;
    await kernel.write(async (tx) => {
      const row = await lockChannel(tx.db, cid);
      if (!row.distinct_members) {
        await updateChannel(tx.db, cid, { distinct_members: people });
        tx.stale({ what: 'channel', key: cid });
      }
      if (user.banned) return;
      const back = { userId: user.id, role: 'channel_member', data: {}, invited: false };
      const [member] = await members.add(tx, row, [back]);
      if (!member) return;
      const channel = await states.publicChannel(tx.db, { ...row, member_count: row.member_count + 1 });
      tx.notify([user.id], 'notification.added_to_channel', { channel, member }, cid);
    });
  }

  /** Refuses an actor who may not create a channel of the type with these settings. */
  async #checkMayCreate(actor: Actor, { type: name, input }: NewChannel): Promise<void> {
    const type = await this.#deps.types.get(this.#deps.kernel.db, name);
    if (actor.kind === 'server') return;
    const grants = type.grants(rolesOf(actor.user.row.role, undefined));
    if (!grants.any.has('create-channel') || actor.user.row.banned)
      throw new ParleyError('NotAllowed', `Not allowed to create-channel of the type ${name}`);
    for (const [key, right] of settingRights)
      if (input[key] && !grants.own.has(right))
        throw new ParleyError('NotAllowed', `Not allowed to ${right} in a new channel of the type ${name}`);
    const own = type.grants(rolesOf(actor.user.row.role, 'channel_member')).own;
    if (hasLink(input.members) && !own.has('send-links'))
      throw new ParleyError('NotAllowed', `Not allowed to send-links in a new channel of the type ${name}`);
    if (input.disabled !== undefined)
      throw new ParleyError('NotAllowed', 'Only the server may disable a channel (disable-channel)');
  }

  #store(checked: CheckedChannel): Promise<boolean> {
    const { kernel, members, states } = this.#deps;
    return kernel.write(async (tx) => {
      const row = await insert(tx, checked);
      if (!row) return false;
      tx.stale({ what: 'channel', key: row.cid });
      await members.add(tx, row, checked.members);
      const channel = await states.publicChannel(tx.db, { ...row, member_count: checked.members.length });
      for (const { userId, invited, isHidden } of checked.members) {
        if (userId === checked.creatorId || isHidden) continue;
        const member = await members.memberOf(tx, row.cid, userId);
        const type = invited ? 'notification.invited' : 'notification.added_to_channel';
        tx.notify([userId], type, { channel, member }, row.cid);
      }
      return true;
    });
  }
}
