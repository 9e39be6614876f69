import type { Static, TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import { doc, optional } from './record.ts';
import { ChannelId, Id } from './schema.ts';

/** The callers of a call: a user (C), the server with its secret (S), both (CS), or anyone with the API key. */
export type Side = 'C' | 'S' | 'CS' | 'public';

/** A budget of the rate limiter. */
export type LimitGroup = 'read' | 'write' | 'message' | 'event' | 'auth';

export type CallSpec = {
  /** The callers that are let in. */
  side: Side;
  /** The message for the side that may not make the call, where it is fixed. */
  refusal?: string;
  /** One line for the reference. */
  summary: string;
  /** The budget of the rate limiter that the call draws from. */
  limit: LimitGroup;
  /** The status of a successful reply; 200 if it is left out. */
  status?: 200 | 201 | 202;
  /** The schema of each path parameter that is not a plain id. */
  path?: Record<string, TSchema>;
  /** The schema of the query string. */
  query?: TObject;
  /** The schema of the JSON body. */
  body?: TObject;
  /** Sent as multipart/form-data instead of JSON; the handler reads it as a stream. */
  form?: TObject;
  /** The schema of a successful reply. */
  reply: TSchema;
};

export const call = <const T extends CallSpec>(spec: T): T => spec;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** 'POST /messages/{id}/reaction' → 'id' */
export type PathParam<K extends string> = K extends `${string}{${infer P}}${infer Rest}`
  ? P | PathParam<Rest>
  : never;

type OptionalStatic<T> = T extends TSchema ? Static<T> : undefined;

export type CallBody<T extends CallSpec> = OptionalStatic<T['body']>;
export type CallQuery<T extends CallSpec> = OptionalStatic<T['query']>;
export type CallReply<T extends CallSpec> = Static<T['reply']>;

export const callMethod = (key: string): Method => key.slice(0, key.indexOf(' ')) as Method;
export const callPath = (key: string): string => key.slice(key.indexOf(' ') + 1);

const actorProperties = {
  user_id: optional('The user for whom a server acts.', Id),
  user: optional(
    'The user for whom a server acts, as an object.',
    Type.Object({ id: doc('The id of the user.', Id) }, { additionalProperties: true }),
  ),
};
const queryProperties = {
  api_key: optional('The key of the app.', Type.String({ maxLength: 128 })),
  connection_id: optional('The connection of the caller.', Type.String({ maxLength: 64 })),
};

/** 'POST /messages/{id}/polls/{poll_id}/vote' → 'The id of the message.' for `id`. */
const describeParameter = (path: string, name: string): string => {
  const parts = path.split('/');
  const before = parts[parts.indexOf(`{${name}}`) - 1] ?? '';
  const inChannel = path.startsWith('/channels/{type}') && name === 'id';
  const noun = inChannel
    ? 'channel'
    : before.replaceAll('_', ' ').replace('channeltypes', 'channel types').replace(/s$/, '');
  if (before === 'threads') return 'The id of the parent message of the thread.';
  if (name === 'type') return `The type of the ${noun}.`;
  return `The ${name === 'name' ? 'name' : 'id'} of the ${noun}.`;
};

const takesBody = (key: string): boolean => !['GET', 'DELETE'].includes(callMethod(key));

type RequestSchemas = {
  /** The path parameters; undefined for a path without one. */
  params: TObject | undefined;
  /** The query string. */
  query: TObject;
  /** The JSON body; undefined for a call without one. */
  body: TObject | undefined;
};

/** The schemas that validate a request, with the `user_id` and `user` by which a server acts for a user. */
export const callSchemas = (key: string, spec: CallSpec): RequestSchemas => {
  const names = [...callPath(key).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inChannel = callPath(key).startsWith('/channels/');
  const params = Type.Object(
    Object.fromEntries(
      names.map((name) => {
        const schema = spec.path?.[name] ?? (inChannel && name === 'id' ? ChannelId : Id);
        return [name, doc(describeParameter(callPath(key), name), schema)];
      }),
    ),
  );
  const acts = spec.side === 'CS';
  const query = {
    ...queryProperties,
    ...(acts ? { user_id: actorProperties.user_id } : {}),
    ...spec.query?.properties,
  };
  const body = spec.body
    ? Type.Object(
        { ...(acts ? actorProperties : {}), ...spec.body.properties },
        { additionalProperties: Reflect.get(spec.body, 'additionalProperties') ?? false },
      )
    : undefined;
  return {
    params: names.length > 0 ? params : undefined,
    query: Type.Object(query, { additionalProperties: false }),
    body: takesBody(key) ? body : undefined,
  };
};
