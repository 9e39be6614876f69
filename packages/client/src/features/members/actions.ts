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
    add: (cid: string, members: MemberInput[], message?: MessageInput) =>
      change(cid, { add_members: members }, message),
    remove: (cid: string, ids: string[], message?: MessageInput) =>
      change(cid, { remove_members: ids }, message),
    join: async (cid: string) => change(cid, { add_members: [core.ownId()] }),
    leave: async (cid: string) => change(cid, { remove_members: [core.ownId()] }),
    invite: (cid: string, members: MemberInput[]) => change(cid, { invites: members }),
    acceptInvite: (cid: string) => change(cid, { accept_invite: true }),
    rejectInvite: (cid: string) => change(cid, { reject_invite: true }),
    addModerators: (cid: string, ids: string[]) => change(cid, { add_moderators: ids }),
    demoteModerators: (cid: string, ids: string[]) => change(cid, { demote_moderators: ids }),
    setRole: (cid: string, userId: string, role: string) =>
      patch(cid, { target_user_id: userId, set: { channel_role: role } }),
    /** The own membership: pinned, archived, custom data. */
    updateOwn: (cid: string, set: Record<string, unknown>, unset: string[] = []) =>
      patch(cid, { set, unset }),
    query: async (cid: string, query: MemberQuery = {}): Promise<MemberPage> => {
      const reply = await core.http.call('POST /members/query', { body: { ...query, ...fromCid(cid) } });
      return {
        ...reply,
        members: reply.members.map((member) => internMember(member, core.users)),
      };
    },
  };
};
