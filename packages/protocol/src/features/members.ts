import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { type CustomMember, closed, Id, Next, open, queryProperties, Time } from '../schema.ts';
import { UserSchema } from './users.ts';

export const MemberSchema = open({
  user_id: Id,
  user: Type.Optional(UserSchema),
  channel_role: Type.String(),
  invited: Type.Optional(Type.Boolean()),
  invite_accepted_at: Type.Optional(Time),
  invite_rejected_at: Type.Optional(Time),
  banned: Type.Optional(Type.Boolean()),
  shadow_banned: Type.Optional(Type.Boolean()),
  pinned_at: Type.Optional(Time),
  archived_at: Type.Optional(Time),
  /** The member cleared their history: they see nothing older. */
  cleared_at: Type.Optional(Time),
  /** Grows with each change of what is the member's own (pinned, archived, hidden): an older one says nothing. */
  own_version: Type.Optional(Type.Integer()),
  notifications_muted: Type.Optional(Type.Boolean()),
  created_at: Time,
  updated_at: Time,
});
export type Member = Static<typeof MemberSchema> & CustomMember;

/** A member to add: its id, or its id with a channel role and custom data. */
export const MemberInputSchema = Type.Union([
  Id,
  open({ user_id: Id, channel_role: Type.Optional(Type.String({ maxLength: 64 })) }),
]);
export type MemberInput = Static<typeof MemberInputSchema>;

export const membersCalls = {
  'POST /members/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'Query the members of one channel',
    body: closed({
      ...queryProperties,
      type: Id,
      id: Id,
    }),
    reply: Type.Object({ members: Type.Array(MemberSchema), next: Next }),
  }),
  'PATCH /channels/{type}/{id}/member': call({
    side: 'CS',
    limit: 'write',
    summary: "Change one's own membership data, or another's role with permission",
    body: closed({
      target_user_id: Type.Optional(Id),
      set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      unset: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
    }),
    reply: Type.Object({ member: MemberSchema }),
  }),
};

const memberEvent = Type.Object({
  member: MemberSchema,
  user: Type.Optional(UserSchema),
  member_count: Type.Integer(),
});

export const membersEvents = {
  /** `last_number` is where the new member begins to count. */
  'member.added': Type.Object({ ...memberEvent.properties, last_number: Type.Integer() }),
  'member.updated': memberEvent,
  'member.removed': memberEvent,
};
