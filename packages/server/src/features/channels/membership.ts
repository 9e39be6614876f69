import { type Capability, type Channel, fidelityOf, type Member, ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { checkLinks } from '../../access/links.ts';
import { type Acting, requireGrant } from '../../access/ranks.ts';
import { type Actor, actingUser, actorId } from '../../auth/actor.ts';
import type { ChannelRow } from '../../db/rows.ts';
import type { Tx } from '../../kernel/kernel.ts';
import { type Members, type NewMember, parseMembers } from '../members/service.ts';
import { listReaderIds } from '../members/store.ts';
import type { ReadCounter } from '../reads/counts.ts';
import type { ChannelStates } from './state.ts';
import type { ChannelUpdate } from './update-rules.ts';

/** The people of a direct conversation are fixed: they leave and come back, and nobody else comes in. */
const requireOfDirect = ({ place }: Acting, userIds: string[], capability: Capability): void => {
  const { cid, distinct_key: key, distinct_members: people } = place.channel;
  const other = key === null ? undefined : userIds.find((id) => !people?.includes(id));
  if (other === undefined) return;
  throw new ParleyError(
    'NotAllowed',
    `Not allowed to ${capability} in ${cid}: it is the conversation of its people alone, and ${other} is none of them`,
  );
};

const requireSelf = ({ actor, place }: Acting, userIds: string[], capability: Capability): void => {
  if (userIds.some((id) => id !== actorId(actor)))
    throw new ParleyError(
      'NotAllowed',
      `Not allowed to ${capability} in ${place.channel.cid}: from a direct conversation people only remove themselves`,
    );
};

type Deps = { access: Access; members: Members; states: ChannelStates; counter: ReadCounter };

/** The part of a channel's update that is about its members, and the notices to those whom it is about. */
export class Membership {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async check(update: ChannelUpdate): Promise<void> {
    for (const key of ['add_members', 'invites'] as const)
      if (update[key]) await this.#deps.members.checkNew(parseMembers(update[key], key), key);
  }

  async apply(tx: Tx, acting: Acting, update: ChannelUpdate): Promise<void> {
    const { members } = this.#deps;
    const { actor } = acting;
    const row = acting.place.channel;
    if (update.add_members) {
      const list = await this.#add(tx, acting, parseMembers(update.add_members, 'add_members'));
      await this.#notify(tx, 'notification.added_to_channel', row, list);
    }
    if (update.invites) {
      const invitedBy = actorId(actor);
      const invited = parseMembers(update.invites, 'invites', true).map((one) => ({ ...one, invitedBy }));
      const list = await this.#add(tx, acting, invited);
      await this.#notify(tx, 'notification.invited', row, list);
    }
    await this.#setRoles(tx, acting, update);
    if (update.accept_invite) await this.#answerInvite(tx, actor, row, true);
    if (update.reject_invite) await this.#answerInvite(tx, actor, row, false);
    if (update.remove_members) {
      if (actor.kind !== 'server' && row.distinct_key !== null)
        requireSelf(acting, update.remove_members, 'remove-channel-members');
      const list = await members.removeBy(tx, acting, update.remove_members);
      await this.#notify(tx, 'notification.removed_from_channel', row, list);
    }
  }

  #add(tx: Tx, acting: Acting, list: NewMember[]): Promise<Member[]> {
    requireOfDirect(
      acting,
      list.map(({ userId }) => userId),
      'add-channel-members',
    );
    for (const { userId, role, data } of list) {
      requireGrant(acting, { userId, role, current: undefined });
      checkLinks(acting.place, data);
    }
    return this.#deps.members.add(tx, acting.place.channel, list);
  }

  async #setRoles(tx: Tx, acting: Acting, update: ChannelUpdate): Promise<void> {
    const roles = { add_moderators: 'channel_moderator', demote_moderators: 'channel_member' } as const;
    for (const path of ['add_moderators', 'demote_moderators'] as const) {
      const userIds = update[path];
      if (userIds) await this.#deps.members.setRole(tx, acting, { userIds, role: roles[path], path });
    }
  }

  async #answerInvite(tx: Tx, actor: Actor, row: ChannelRow, accepted: boolean): Promise<void> {
    const user = actingUser(actor);
    const member = await this.#deps.members.answerInvite(tx, row, user.row.id, accepted);
    const ids = await listReaderIds(tx.db, row.cid, await this.#deps.access.readers(tx.db));
    const member_count = row.member_count + (accepted ? 1 : 0);
    const channel = await this.#deps.states.publicChannel(tx.db, { ...row, member_count });
    const type = accepted ? 'notification.invite_accepted' : 'notification.invite_rejected';
    tx.notify([...new Set([...ids, user.row.id])], type, { channel, member }, row.cid);
    this.#recount(tx, channel, member_count);
  }

  async #notify(tx: Tx, type: string, row: ChannelRow, list: Member[]): Promise<void> {
    const channel = list.length > 0 ? await this.#deps.states.publicChannel(tx.db, row) : undefined;
    for (const member of list) tx.notify([member.user_id], type, { channel, member }, row.cid);
    if (channel) this.#recount(tx, channel, row.member_count + list.length);
  }

  /** Publishes the counts again where marks are counts, or become counts by this change. */
  #recount(tx: Tx, { cid, config }: Channel, memberCount: number): void {
    if (fidelityOf(memberCount, config)) tx.later(() => this.#deps.counter.touch(cid));
  }
}
