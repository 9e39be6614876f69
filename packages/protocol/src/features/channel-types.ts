import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { closed, Time } from '../schema.ts';
import { PermissionRuleSchema } from './roles.ts';

const configProperties = {
  typing_events: Type.Boolean(),
  read_events: Type.Boolean(),
  delivery_events: Type.Boolean(),
  connect_events: Type.Boolean(),
  custom_events: Type.Boolean(),
  reactions: Type.Boolean(),
  replies: Type.Boolean(),
  quotes: Type.Boolean(),
  search: Type.Boolean(),
  uploads: Type.Boolean(),
  url_enrichment: Type.Boolean(),
  polls: Type.Boolean(),
  /** Above so many members read and delivery marks become counts. */
  marks_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  max_message_length: Type.Integer({ minimum: 1, maximum: limits.textLength }),
};

/** What a channel of a type can do at all, whoever asks. */
export const ChannelConfigSchema = Type.Object(configProperties);
export type ChannelConfig = Static<typeof ChannelConfigSchema>;

export const ChannelTypeSchema = Type.Object({
  name: Type.String(),
  ...configProperties,
  permissions: Type.Array(PermissionRuleSchema),
  created_at: Time,
  updated_at: Time,
});
export type ChannelType = Static<typeof ChannelTypeSchema>;

const TypeName = Type.String({
  pattern: '^[A-Za-z0-9_!-]{1,64}$',
  errorText: 'must be 1 to 64 of A–Z a–z 0–9 _ ! -',
});
const settings = {
  ...(Object.fromEntries(
    Object.entries(configProperties).map(([key, schema]) => [key, Type.Optional(schema)]),
  ) as unknown as {
    [K in keyof typeof configProperties]: ReturnType<typeof Type.Optional<(typeof configProperties)[K]>>;
  }),
  permissions: Type.Optional(Type.Array(PermissionRuleSchema, { maxItems: 200 })),
};
const path = { name: TypeName };

export const channelTypesCalls = {
  'GET /channeltypes': call({
    side: 'S',
    limit: 'read',
    summary: 'All channel types',
    reply: Type.Object({ channel_types: Type.Record(Type.String(), ChannelTypeSchema) }),
  }),
  'POST /channeltypes': call({
    side: 'S',
    limit: 'write',
    summary: 'Make a channel type; what is not said is taken from `messaging`',
    status: 201,
    body: closed({ name: TypeName, ...settings }),
    reply: Type.Object({ channel_type: ChannelTypeSchema }),
  }),
  'GET /channeltypes/{name}': call({
    side: 'S',
    limit: 'read',
    summary: 'One channel type',
    path,
    reply: Type.Object({ channel_type: ChannelTypeSchema }),
  }),
  'PUT /channeltypes/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Change a channel type',
    path,
    body: closed(settings),
    reply: Type.Object({ channel_type: ChannelTypeSchema }),
  }),
  'DELETE /channeltypes/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Delete a channel type that no channel has',
    path,
    reply: Type.Object({}),
  }),
};
