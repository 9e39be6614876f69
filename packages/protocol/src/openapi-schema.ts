import type { TSchema } from 'typebox';
import { ChannelConfigSchema, ChannelTypeSchema } from './features/channel-types.ts';
import { ChannelInputSchema, ChannelSchema, ChannelStateSchema } from './features/channels.ts';
import { ConnectFrameSchema, ConnectPayloadSchema } from './features/connection.ts';
import { MemberInputSchema, MemberSchema } from './features/members.ts';
import {
  AttachmentSchema,
  MessageInputSchema,
  MessageSchema,
  MessageWindowSchema,
} from './features/messages.ts';
import { ReactionGroupSchema, ReactionInputSchema, ReactionSchema } from './features/reaction-record.ts';
import { ReadStateSchema } from './features/reads.ts';
import { PermissionRuleSchema } from './features/roles.ts';
import { OwnUserSchema, UserInputSchema, UserSchema } from './features/users.ts';
import { calls } from './registry.ts';
import { ChannelId, Cid, Id, NewId, Sort, Time } from './schema.ts';

/** A JSON Schema (2020-12) as it stands in an OpenAPI 3.1 document. */
export type JsonSchema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  'x-error-text'?: string;
};

/** What the document shows once, by name; wherever the same shape recurs it is referred to. */
const named: Record<string, TSchema> = {
  User: UserSchema,
  OwnUser: OwnUserSchema,
  UserInput: UserInputSchema,
  Channel: ChannelSchema,
  ChannelInput: ChannelInputSchema,
  ChannelState: ChannelStateSchema,
  ChannelConfig: ChannelConfigSchema,
  ChannelType: ChannelTypeSchema,
  Member: MemberSchema,
  MemberInput: MemberInputSchema,
  Message: MessageSchema,
  MessageInput: MessageInputSchema,
  MessageWindow: MessageWindowSchema,
  QuotedMessage: MessageSchema.properties.quoted_message,
  Attachment: AttachmentSchema,
  Reaction: ReactionSchema,
  ReactionGroup: ReactionGroupSchema,
  ReactionInput: ReactionInputSchema,
  ReadState: ReadStateSchema,
  Role: calls['POST /roles'].reply.properties.role,
  PermissionRule: PermissionRuleSchema,
  App: calls['GET /app'].reply.properties.app,
  ConnectFrame: ConnectFrameSchema,
  ConnectPayload: ConnectPayloadSchema,
  Sort,
  Id,
  NewId,
  ChannelId,
  Cid,
  Time,
};

// By text and not by reference: `Type.Optional` copies the schema it is given.
const nameByText = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]));

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const anyKey = '^.*$';
const mapValues = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, jsonSchema(schema)]));

const typeOfValues = (values: readonly unknown[]): JsonSchema => {
  const types = new Set(values.map((value) => typeof value));
  if (types.size !== 1) return {};
  if (types.has('string')) return { type: 'string' };
  return types.has('number') && values.every(Number.isInteger) ? { type: 'integer' } : {};
};

const translate = (source: JsonSchema & { errorText?: string }): JsonSchema => {
  const { errorText, properties, patternProperties, additionalProperties, items, anyOf, ...rest } = source;
  const { [anyKey]: anyValue, ...patterned } = patternProperties ?? {};
  const rule = anyValue ?? additionalProperties;
  return {
    ...(rest.enum && rest.type === undefined ? typeOfValues(rest.enum) : {}),
    ...rest,
    ...(items ? { items: jsonSchema(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(jsonSchema) } : {}),
    ...(properties ? { properties: mapValues(properties) } : {}),
    ...(Object.keys(patterned).length > 0 ? { patternProperties: mapValues(patterned) } : {}),
    ...(rule === undefined
      ? {}
      : { additionalProperties: typeof rule === 'boolean' ? rule : jsonSchema(rule) }),
    ...(errorText === undefined ? {} : { 'x-error-text': errorText }),
  };
};

/** A schema of ours as plain JSON Schema: shapes with a name become references. */
export function jsonSchema(schema: TSchema | JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const name = nameByText.get(text);
  // Through text, so that what TypeBox keeps for itself stays out and nothing is shared with the registry.
  return name === undefined ? translate(JSON.parse(text) as JsonSchema) : refTo(name);
}

export const namedSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, translate(JSON.parse(JSON.stringify(schema)))]),
  );
