import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { doc, named, optional, record } from '../record.ts';
import { type CustomMember, closed, Id, Next, open, queryProperties, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

const member = open({
  user_id: doc('The id of the user.', Id),
  user: optional('The user.', UserSchema),
  channel_role: doc('The role of the user in the channel.', Type.String()),
  invited: optional('Whether the user is invited and has not joined yet.', Type.Boolean()),
  invited_by_id: optional('The user who invited this one.', Id),
  invite_accepted_at: optional('When the user accepted the invitation.', Time),
  invite_rejected_at: optional('When the user rejected the invitation.', Time),
  banned: optional('Whether the user is banned from the channel.', Type.Boolean()),
  shadow_banned: optional("Whether the user's messages are hidden from others.", Type.Boolean()),
  pinned_at: optional('When the member pinned the channel to the top of their list.', Time),
  archived_at: optional('When the member archived the channel.', Time),
  cleared_at: optional('The member has cleared their history and sees nothing older than this.', Time),
  own_version: optional(
    "Grows with each change of the member's own settings (pinned, archived, hidden); ignore older versions.",
    Type.Integer(),
  ),
  notifications_muted: optional('Whether the member gets no notifications of the channel.', Type.Boolean()),
  created_at: doc('When the user became a member.', Time),
  updated_at: doc('When the membership last changed.', Time),
});
export interface Member extends Static<typeof member>, CustomMember {}
export const MemberSchema = record<Member>('Member', member);

const newMember = open({
  user_id: doc('The id of the user.', Id),
  channel_role: optional('The role of the user in the channel.', Type.String({ maxLength: 64 })),
});
/** A member to add, with a channel role and custom data. */
export interface NewMember extends Static<typeof newMember> {}
/** A member to add: its id alone, or with a channel role and custom data. */
export const MemberInputSchema = named('MemberInput', Type.Union([Id, Type.Unsafe<NewMember>(newMember)]));
export type MemberInput = Static<typeof MemberInputSchema>;

export const membersCalls = {
  'POST /members/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query the members of one channel',
    body: closed({
      ...queryProperties,
      type: doc('The type of the channel.', Id),
      id: doc('The id of the channel.', Id),
    }),
    reply: Type.Object({ members: doc('The members found.', Type.Array(MemberSchema)), next: Next }),
  }),
  'PATCH /channels/{type}/{id}/member': call({
    side: 'CS',
    limit: 'write',
    summary: "Change one's own membership data, or another's role with permission",
    body: closed({
      target_user_id: optional('The member to change; left out for the caller.', Id),
      set: optional(
        'The fields to change, with their new values.',
        Type.Record(Type.String(), Type.Unknown()),
      ),
      unset: optional('The names of the fields to remove.', Type.Array(Type.String({ maxLength: 64 }))),
    }),
    reply: Type.Object({ member: doc('The member after the change.', MemberSchema) }),
  }),
};

const memberProperties = {
  member: doc('The member.', MemberSchema),
  user: optional('The user who is the member.', UserSchema),
  member_count: doc('The number of members now.', Type.Integer()),
};
const memberEvent = Type.Object(memberProperties);

export const membersEvents = {
  'member.added': Type.Object({
    ...memberProperties,
    last_number: doc('The number from which the new member counts unread messages.', Type.Integer()),
  }),
  'member.updated': memberEvent,
  'member.removed': memberEvent,
};
