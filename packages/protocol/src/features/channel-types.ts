import { type Static, type TOptional, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { closed, Time } from '../schema.ts';
import { PermissionRuleSchema } from './roles.ts';

const configProperties = {
  typing_events: doc('Whether members see who is typing.', Type.Boolean()),
  read_events: doc('Whether members see how far others have read.', Type.Boolean()),
  delivery_events: doc('Whether members see which messages have reached others.', Type.Boolean()),
  connect_events: doc('Whether watchers are notified of who starts and stops watching.', Type.Boolean()),
  custom_events: doc('Whether custom events may be sent.', Type.Boolean()),
  reactions: doc('Whether messages may get reactions.', Type.Boolean()),
  replies: doc('Whether messages may get replies in a thread.', Type.Boolean()),
  quotes: doc('Whether a message may quote another.', Type.Boolean()),
  search: doc('Whether messages can be searched.', Type.Boolean()),
  uploads: doc('Whether files may be uploaded.', Type.Boolean()),
  url_enrichment: doc('Whether links get a preview.', Type.Boolean()),
  polls: doc('Whether polls may be sent.', Type.Boolean()),
  marks_limit: optional(
    'The number of members above which read and delivery marks become counts.',
    Type.Integer({ minimum: 0, maximum: 100_000 }),
  ),
  max_message_length: doc(
    'The maximum number of characters in a message.',
    Type.Integer({ minimum: 1, maximum: limits.textLength }),
  ),
};

const channelConfig = Type.Object(configProperties);
/** The features of channels of a type, for every user. */
export interface ChannelConfig extends Static<typeof channelConfig> {}
export const ChannelConfigSchema = record<ChannelConfig>('ChannelConfig', channelConfig);

const channelType = Type.Object({
  name: doc('The name of the channel type, unique in the app.', Type.String()),
  ...configProperties,
  permissions: doc(
    'The rules that decide what a role may do in its channels.',
    Type.Array(PermissionRuleSchema),
  ),
  created_at: doc('When the channel type was created.', Time),
  updated_at: doc('When the channel type last changed.', Time),
});
export interface ChannelType extends Static<typeof channelType> {}
const ChannelTypeSchema = record<ChannelType>('ChannelType', channelType);

const TypeName = Type.String({
  pattern: '^[A-Za-z0-9_!-]{1,64}$',
  errorText: 'must be 1 to 64 of A–Z a–z 0–9 _ ! -',
});
/** The same properties for a change: each may be left out. `npm run pack` reads them to write their comments.
 * @public */
export const configChanges: {
  [K in keyof typeof configProperties]: TOptional<(typeof configProperties)[K]>;
} = Type.Partial(channelConfig).properties;
const settings = {
  ...configChanges,
  permissions: optional(
    'The rules that decide what a role may do in its channels.',
    Type.Array(PermissionRuleSchema, { maxItems: 200 }),
  ),
};
const path = { name: doc('The name of the channel type.', TypeName) };
const reply = Type.Object({ channel_type: doc('The channel type.', ChannelTypeSchema) });

export const channelTypesCalls = {
  'GET /channeltypes': call({
    side: 'S',
    limit: 'read',
    summary: 'All channel types',
    reply: Type.Object({
      channel_types: doc('Every channel type, by its name.', Type.Record(Type.String(), ChannelTypeSchema)),
    }),
  }),
  'POST /channeltypes': call({
    side: 'S',
    limit: 'write',
    summary: 'Make a channel type; what is not said is taken from `messaging`',
    status: 201,
    body: closed({ name: doc('The name of the new channel type.', TypeName), ...settings }),
    reply,
  }),
  'GET /channeltypes/{name}': call({
    side: 'S',
    limit: 'read',
    summary: 'One channel type',
    path,
    reply,
  }),
  'PUT /channeltypes/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Change a channel type',
    path,
    body: closed(settings),
    reply,
  }),
  'DELETE /channeltypes/{name}': call({
    side: 'S',
    limit: 'write',
    summary: 'Delete a channel type that no channel has',
    path,
    reply: Type.Object({}),
  }),
};
