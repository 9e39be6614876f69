import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { texts } from './errors.ts';
import { idPattern, limits } from './limits.ts';
import { doc, named, optional } from './record.ts';

/** `errorText` is what a caller reads when the value does not fit; without it the validator's words are used.
 * An id that names something: older versions took "." and "..", and what bears them must stay readable. */
export const Id = named(
  'Id',
  Type.String({
    pattern: "^[A-Za-z0-9@_.!~*'()-]{1,64}$",
    errorText: `must be 1 to 64 of A–Z a–z 0–9 @ _ . ! ~ * ' ( ) -`,
  }),
);
export const idRule = `must be 1 to 64 of A–Z a–z 0–9 @ _ . ! ~ * ' ( ) - and other than "." and ".."`;
/** An id that a caller chooses for something new. */
export const NewId = named('NewId', Type.String({ pattern: idPattern, errorText: idRule }));
export const ChannelId = named(
  'ChannelId',
  Type.String({ pattern: idPattern, errorText: texts.channelIdColon }),
);
export const Cid = named(
  'Cid',
  Type.String({
    pattern: "^[A-Za-z0-9@_.!~*'()-]{1,64}:[A-Za-z0-9@_.!~*'()-]{1,64}$",
    errorText: 'must be a channel type and id joined by a colon',
  }),
);
export const Time = named(
  'Time',
  Type.String({
    format: 'date-time',
    errorText: 'must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z',
  }),
);
export const Name = Type.String({ maxLength: limits.nameLength });
export const Url = Type.String({ maxLength: 2048 });
export const Limit = Type.Integer({ minimum: 1, maximum: limits.pageMax });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A record that carries custom data: unknown top-level keys are kept. */
export const open = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true });

/** A body in which an unknown key is a mistake. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The body of a `PATCH`. */
export const patchProperties = {
  set: optional('The fields to change, with their new values.', Type.Record(Type.String(), Type.Unknown())),
  unset: optional(
    'The names of the fields to remove.',
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 }),
  ),
};

const Filter = Type.Record(Type.String(), Type.Unknown());
const sortField = closed({
  field: doc('The name of the field to sort by.', Type.String({ maxLength: 64 })),
  direction: doc('1 for ascending, -1 for descending.', Type.Enum([1, -1])),
});
/** One of the fields that a query sorts by. */
export interface SortField extends Static<typeof sortField> {}
const Sort = named('Sort', Type.Array(Type.Unsafe<SortField>(sortField), { maxItems: 3 }));

/** The body of every query: filter, sort, limit, next. */
export const queryProperties = {
  filter: optional('The conditions that each result meets, by field and operator.', Filter),
  sort: optional('The fields to sort by, the most important first.', Sort),
  limit: optional('The maximum number of results on a page.', Limit),
  next: optional(
    'The `next` of the previous page; left out for the first.',
    Type.String({ maxLength: 4096 }),
  ),
};
/** A client that has followed the log further already knows more than the reply says. */
export const ReplySeq = optional(
  "The position in the channel's log that the reply reflects.",
  Type.Integer(),
);
export const Next = optional(
  'Pass it as `next` to get the following page; absent on the last page.',
  Type.String(),
);

/** Custom data of the embedding app. Augment these interfaces to type it:
 * `declare module '@parley/protocol' { interface CustomMessage { mood?: string } }` */
// biome-ignore-start lint/suspicious/noEmptyInterface: only an interface can be added to from outside, and these begin empty
export interface CustomUser {}
export interface CustomChannel {}
export interface CustomMember {}
export interface CustomMessage {}
export interface CustomAttachment {}
export interface CustomReaction {}
export interface CustomPoll {}
// biome-ignore-end lint/suspicious/noEmptyInterface: the rest is closed
