import type { BodyOf, Member, MemberInput, MessageInput } from '@parley/protocol';
import { changeChannel } from '../../change-channel.ts';
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

type Change = BodyOf<'POST /channels/{type}/{id}'>;
export type MemberQuery = Omit<BodyOf<'POST /members/query'>, 'type' | 'id'>;
export type MemberPage = { members: Member[]; next?: string };

export const createMembers = (core: Core, { fromCid, internMember }: LateTools) => {
  const change = async (cid: string, body: Change, message?: MessageInput): Promise<void> => {
    await changeChannel(core, cid, body, message);
  };
  const patch = async (cid: string, body: BodyOf<'PATCH /channels/{type}/{id}/member'>): Promise<Member> => {
    const reply = await core.http.call('PATCH /channels/{type}/{id}/member', { cid, body });
    const member = internMember(reply.member, core.users);
    if (member.user_id === core.ownId())
      core.confirm({ type: 'member.updated', cid, member, member_count: 0 });
    return member;
  };
  return {
    /** Adds members to a channel, optionally with a message about it. */
    add: (cid: string, members: MemberInput[], message?: MessageInput) =>
      change(cid, { add_members: members }, message),
    /** Removes members from a channel, optionally with a message about it. */
    remove: (cid: string, ids: string[], message?: MessageInput) =>
      change(cid, { remove_members: ids }, message),
    /** Makes the own user a member. */
    join: async (cid: string) => change(cid, { add_members: [core.ownId()] }),
    /** Ends the membership of the own user. */
    leave: async (cid: string) => change(cid, { remove_members: [core.ownId()] }),
    /** Invites users to a channel. */
    invite: (cid: string, members: MemberInput[]) => change(cid, { invites: members }),
    /** Accepts the invitation of the own user. */
    acceptInvite: (cid: string) => change(cid, { accept_invite: true }),
    /** Rejects the invitation of the own user. */
    rejectInvite: (cid: string) => change(cid, { reject_invite: true }),
    /** Makes members moderators of the channel. */
    addModerators: (cid: string, ids: string[]) => change(cid, { add_moderators: ids }),
    /** Makes moderators ordinary members again. */
    demoteModerators: (cid: string, ids: string[]) => change(cid, { demote_moderators: ids }),
    /** Gives a member another role in the channel. */
    setRole: (cid: string, userId: string, role: string) =>
      patch(cid, { target_user_id: userId, set: { channel_role: role } }),
    /** The own membership: pinned, archived, custom data. */
    updateOwn: (cid: string, set: Record<string, unknown>, unset: string[] = []) =>
      patch(cid, { set, unset }),
    /** Finds members of a channel by a filter, page by page. */
    query: async (cid: string, query: MemberQuery = {}): Promise<MemberPage> => {
      const reply = await core.http.call('POST /members/query', { body: { ...query, ...fromCid(cid) } });
      return {
        ...reply,
        members: reply.members.map((member) => internMember(member, core.users)),
      };
    },
  };
};
