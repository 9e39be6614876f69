import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { Cid, closed, Id, NewId, open, Time } from '../schema.ts';
import { OwnUserSchema, UserInputSchema } from './users.ts';

const AuthType = Type.Enum(['jwt', 'anonymous']);

export const ConnectPayloadSchema = closed({
  user_id: Type.Optional(NewId),
  user_details: Type.Optional(UserInputSchema),
  device: Type.Optional(open({ id: Type.Optional(Type.String({ maxLength: 255 })) })),
  client_request_id: Type.Optional(Type.String({ maxLength: 128 })),
});
export type ConnectPayload = Static<typeof ConnectPayloadSchema>;

/** The first frame of a socket. The token never travels in the URL. */
export const ConnectFrameSchema = closed({
  type: Type.Literal('connect'),
  token: Type.Optional(Type.String({ maxLength: 8192 })),
  auth_type: AuthType,
  payload: ConnectPayloadSchema,
});
export type ConnectFrame = Static<typeof ConnectFrameSchema>;

/** Larger numbers are none that the database could hold. */
const LogNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Where a client stands in a channel's log. A number alone is taken as it is: whether it is of the same log cannot be known then. */
const SyncCursorSchema = Type.Union([
  LogNumber,
  closed({
    seq: LogNumber,
    /** `log_id` of the channel's state. */
    log_id: Type.Optional(Type.String({ maxLength: 64 })),
    /** `created_at` of the event with this seq, or `seq_at` of the state. */
    at: Type.Optional(Time),
  }),
]);
export type SyncCursor = Static<typeof SyncCursorSchema>;

export const connectionCalls = {
  'POST /longpoll': call({
    side: 'public',
    limit: 'event',
    summary: 'Open a long-poll connection, or wait up to 25 s for the events after `ack`',
    body: closed({
      payload: Type.Optional(ConnectPayloadSchema),
      connection_id: Type.Optional(Id),
      ack: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    reply: Type.Object({
      connection_id: Type.Optional(Type.String()),
      me: Type.Optional(OwnUserSchema),
      /** Number of the last event; to be sent as `ack`. */
      last: Type.Optional(Type.Integer()),
      events: Type.Array(Type.Unknown()),
    }),
  }),
  'DELETE /longpoll': call({
    side: 'public',
    limit: 'event',
    summary: 'End a long-poll connection',
    query: closed({ connection_id: Id }),
    reply: Type.Object({}),
  }),
  'POST /sync': call({
    side: 'C',
    limit: 'read',
    summary:
      'The events after each cursor, about 1 MiB; `resync` names channels to query anew, `more` those whose log goes on',
    body: closed({
      cursors: Type.Record(Cid, SyncCursorSchema, { maxProperties: limits.syncCursors }),
    }),
    reply: Type.Object({
      events: Type.Array(Type.Unknown()),
      resync: Type.Array(Cid),
      more: Type.Optional(Type.Array(Cid)),
    }),
  }),
};

export const connectionEvents = {
  'health.check': Type.Object({
    connection_id: Type.Optional(Type.String()),
    me: Type.Optional(OwnUserSchema),
  }),
  'connection.error': Type.Object({ error: Type.Unknown() }),
};
