import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, NewId, open, Time } from '../schema.ts';
import { OwnUserSchema, UserInputSchema } from './users.ts';

const AuthType = Type.Enum(['jwt', 'anonymous']);

const connectPayload = closed({
  user_id: optional('The user who connects, as the token names them.', NewId),
  user_details: optional('Fields of the user to set while connecting.', UserInputSchema),
  device: optional(
    'The device that connects.',
    open({ id: optional('The id of the device.', Type.String({ maxLength: 255 })) }),
  ),
  client_request_id: optional('An id for the logs of the server.', Type.String({ maxLength: 128 })),
});
export interface ConnectPayload extends Static<typeof connectPayload> {}
export const ConnectPayloadSchema = record<ConnectPayload>('ConnectPayload', connectPayload);

const connectFrame = closed({
  type: doc('Always `connect`.', Type.Literal('connect')),
  token: optional('The token of the user; it never travels in the URL.', Type.String({ maxLength: 8192 })),
  auth_type: doc('Whether a token signs the user in, or nobody is signed in.', AuthType),
  payload: doc('Who connects, and from where.', ConnectPayloadSchema),
});
/** The first frame of a socket. */
export interface ConnectFrame extends Static<typeof connectFrame> {}
export const ConnectFrameSchema = record<ConnectFrame>('ConnectFrame', connectFrame);

/** Larger numbers are none that the database could hold. */
const LogNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** The position of a client in a channel's log. A number alone is taken as it is: whether it is of the same log cannot be known then. */
const SyncCursorSchema = Type.Union([
  LogNumber,
  closed({
    seq: doc('The `seq` of the last event that the client has.', LogNumber),
    log_id: optional("The `log_id` of the channel's state.", Type.String({ maxLength: 64 })),
    at: optional('The `created_at` of the event with this `seq`, or `seq_at` of the state.', Time),
  }),
]);
export type SyncCursor = Static<typeof SyncCursorSchema>;

export const connectionCalls = {
  'POST /longpoll': call({
    side: 'public',
    limit: 'event',
    summary: 'Open a long-poll connection, or wait up to 25 s for the events after `ack`',
    body: closed({
      payload: optional('Who connects; opens a new connection.', ConnectPayloadSchema),
      connection_id: optional('The connection to wait on.', Id),
      ack: optional('The `last` of the previous reply.', Type.Integer({ minimum: 0 })),
    }),
    reply: Type.Object({
      connection_id: optional('The id of a new connection.', Type.String()),
      me: optional('The signed-in user, for a new connection.', OwnUserSchema),
      last: optional('The number of the last event; send it as `ack`.', Type.Integer()),
      events: doc('The events since `ack`, in order.', Type.Array(Type.Unknown())),
    }),
  }),
  'DELETE /longpoll': call({
    side: 'public',
    limit: 'event',
    summary: 'End a long-poll connection',
    query: closed({ connection_id: doc('The connection to end.', Id) }),
    reply: Type.Object({}),
  }),
  'POST /sync': call({
    side: 'C',
    limit: 'read',
    summary:
      'The events after each cursor, about 1 MiB; `resync` names channels to query anew, `more` those whose log goes on',
    body: closed({
      cursors: doc(
        'Where the client stands in the log of each channel, by its cid.',
        Type.Record(Cid, SyncCursorSchema, { maxProperties: limits.syncCursors }),
      ),
    }),
    reply: Type.Object({
      events: doc('The missed events, in order for each channel.', Type.Array(Type.Unknown())),
      resync: doc('Channels whose state must be queried anew.', Type.Array(Cid)),
      more: optional('Channels whose log goes on; ask for them again.', Type.Array(Cid)),
    }),
  }),
};

export const connectionEvents = {
  'health.check': Type.Object({
    connection_id: optional('The id of the connection.', Type.String()),
    me: optional('The signed-in user, in the first event of a connection.', OwnUserSchema),
  }),
  'connection.draining': Type.Object({
    within_ms: doc(
      'The server is about to end, or may have missed events: the time within which to connect anew, at a random moment, in milliseconds.',
      Type.Integer(),
    ),
  }),
  'connection.error': Type.Object({
    error: doc('Why the connection was refused, as the body of an error reply.', Type.Unknown()),
  }),
};
