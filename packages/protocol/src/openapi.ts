import type { TSchema } from 'typebox';
import {
  type CallSpec,
  callMethod,
  callPath,
  callSchemas,
  type LimitGroup,
  type Method,
  type Side,
} from './call.ts';
import { errorList } from './error-messages.ts';
import { ConnectFrameSchema } from './features/connection.ts';
import { type JsonSchema, refTo, SchemaTranslator } from './openapi-schema.ts';
import { callsByFeature, envelopeProperties, eventSchemas, logEventTypes } from './registry.ts';

export type OpenApiParameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
type Content = { 'application/json': { schema: JsonSchema } };
type FormContent = { 'multipart/form-data': { schema: JsonSchema } };
type Headers = Record<string, { $ref: string }>;
export type OpenApiResponse = { description: string; headers?: Headers; content: Content };
export type OpenApiOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  'x-side': Side;
  'x-limit-group': LimitGroup;
  security: Record<string, string[]>[];
  parameters: OpenApiParameter[];
  requestBody?: { required: true; content: Content | FormContent };
  responses: Record<string, OpenApiResponse | { $ref: string }>;
};
export type OpenApiEvent = {
  /** Whether the event is part of a channel's log, and so carries `seq`. */
  log: boolean;
  schema: JsonSchema;
};
export type OpenApiDocument = {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Partial<Record<Lowercase<Method>, OpenApiOperation>>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: { Error: OpenApiResponse };
    headers: Record<string, { description: string; schema: JsonSchema }>;
    securitySchemes: Record<string, Record<string, string>>;
  };
  'x-realtime': { path: string; first_frame: JsonSchema };
  'x-events': Record<string, OpenApiEvent>;
};

const description = `Parley is a chat server for any product. All calls take and give JSON with snake_case keys; times are
RFC 3339 in UTC. \`x-side\` says who may make a call: C a user with a token, S a server with the secret, CS either, public
anyone with the API key. Realtime events, listed under \`x-events\`, arrive over the WebSocket of \`x-realtime\`.`;

const securitySchemes = {
  api_key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Names the app.' },
  api_key_query: { type: 'apiKey', in: 'query', name: 'api_key', description: 'Names the app.' },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'HS256 with the secret of the app: `{user_id, iat, exp?}` for a user, `{server: true}` for a server.',
  },
  auth_type: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-type',
    description: '`jwt` (the default) or `anonymous`, which needs no token and may only read.',
  },
};

const securityFor = ({ side, limit }: CallSpec): Record<string, string[]>[] => {
  const keys: Record<string, string[]>[] = [{ api_key: [] }, { api_key_query: [] }];
  if (side === 'public') return keys;
  const byToken = keys.map((key) => ({ ...key, token: [] }));
  const anonymous = side !== 'S' && limit === 'read';
  return anonymous ? [...byToken, ...keys.map((key) => ({ ...key, auth_type: [] }))] : byToken;
};

const errorRows = errorList.map(
  ({ name, code, status, retryable, message }) =>
    `| ${code} | ${name} | ${status} | ${retryable ? 'yes' : 'no'} | ${message} |`,
);
const errorDescription = [
  'What went wrong. Branch on `code` or `name`, never on the message.',
  '',
  '| code | name | status | retry | message |',
  '|---|---|---|---|---|',
  ...errorRows,
].join('\n');

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'name', 'message', 'status', 'request_id'],
  properties: {
    code: {
      type: 'integer',
      enum: errorList.map(({ code }) => code),
      description: 'The code of the error; see the table of errors.',
    },
    name: { type: 'string', enum: errorList.map(({ name }) => name), description: 'The name of the error.' },
    message: { type: 'string', description: 'What went wrong, in words for a developer.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    request_id: { type: 'string', description: 'The id of the request, as in the header `x-request-id`.' },
    details: {
      type: 'array',
      description: 'The fields that were refused.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'The path of the field.' },
          message: { type: 'string', description: 'Why the field was refused.' },
        },
      },
    },
  },
};

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } });
const headers: Headers = { 'x-request-id': { $ref: '#/components/headers/x-request-id' } };

const operationId = (key: string): string =>
  callMethod(key).toLowerCase() +
  callPath(key)
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const parametersOf = (schema: JsonSchema | undefined, place: 'path' | 'query'): OpenApiParameter[] =>
  Object.entries(schema?.properties ?? {})
    // The key is a security scheme; said here as well, it would be asked for twice.
    .filter(([name]) => name !== 'api_key')
    .map(([name, { description, ...property }]) => ({
      name,
      in: place,
      required: place === 'path' || (schema?.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: property,
    }));

const responsesOf = (spec: CallSpec, schemas: SchemaTranslator): OpenApiOperation['responses'] => {
  const content = json(schemas.translate(spec.reply));
  const done = { description: 'Done', headers, content };
  const status = spec.status ?? 200;
  return {
    ...(status === 201 ? { 200: { ...done, description: 'It was there already' } } : {}),
    [status]: status === 201 ? { ...done, description: 'Made' } : done,
    default: { $ref: '#/components/responses/Error' },
  };
};

const requestBodyOf = (
  spec: CallSpec,
  body: TSchema | undefined,
  schemas: SchemaTranslator,
): Pick<OpenApiOperation, 'requestBody'> => {
  if (spec.form) {
    const content = { 'multipart/form-data': { schema: schemas.translate(spec.form) } };
    return { requestBody: { required: true, content } };
  }
  return body ? { requestBody: { required: true, content: json(schemas.translate(body)) } } : {};
};

type Call = { feature: string; key: string; spec: CallSpec };

const operation = ({ feature, key, spec }: Call, schemas: SchemaTranslator): OpenApiOperation => {
  const { params, query, body } = callSchemas(key, spec);
  return {
    operationId: operationId(key),
    tags: [feature],
    summary: spec.summary,
    'x-side': spec.side,
    'x-limit-group': spec.limit,
    security: securityFor(spec),
    parameters: [
      ...parametersOf(params && schemas.translate(params), 'path'),
      ...parametersOf(schemas.translate(query), 'query'),
    ],
    ...requestBodyOf(spec, body, schemas),
    responses: responsesOf(spec, schemas),
  };
};

const pathsOf = (schemas: SchemaTranslator): OpenApiDocument['paths'] => {
  const paths: OpenApiDocument['paths'] = {};
  for (const [feature, calls] of Object.entries(callsByFeature)) {
    for (const [key, spec] of Object.entries(calls)) {
      const path = callPath(key);
      const method = callMethod(key).toLowerCase();
      paths[path] = { ...paths[path], [method]: operation({ feature, key, spec }, schemas) };
    }
  }
  return paths;
};

const eventOf = (type: string, own: JsonSchema, envelope: Record<string, JsonSchema>): OpenApiEvent => {
  const logged: readonly string[] = logEventTypes;
  const log = logged.includes(type);
  const { seq = {}, ...always } = envelope;
  return {
    log,
    schema: {
      type: 'object',
      required: ['type', 'created_at', ...(log ? ['cid', 'seq'] : []), ...(own.required ?? [])],
      properties: {
        type: { const: type, description: 'The type of the event.' },
        ...always,
        ...(log ? { seq } : {}),
        ...own.properties,
      },
    },
  };
};

const eventsOf = (schemas: SchemaTranslator): Record<string, OpenApiEvent> => {
  const envelope = Object.fromEntries(
    Object.entries(envelopeProperties).map(([key, schema]) => [key, schemas.translate(schema)]),
  );
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([type, schema]) => [
      type,
      eventOf(type, schemas.translate(schema), envelope),
    ]),
  );
};

/** The whole wire as OpenAPI 3.1. `serverUrl` is what the paths are relative to, such as `https://chat.example/api`. */
export const openApiDocument = (options: { serverUrl: string; version: string }): OpenApiDocument => {
  const schemas = new SchemaTranslator();
  const paths = pathsOf(schemas);
  const events = eventsOf(schemas);
  const firstFrame = schemas.translate(ConnectFrameSchema);
  const byName = [...schemas.named].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: options.version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    tags: Object.keys(callsByFeature).map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(byName), Error: errorSchema },
      responses: { Error: { description: errorDescription, headers, content: json(refTo('Error')) } },
      headers: {
        'x-request-id': {
          description: "The caller's `x-client-request-id`, or an id made by the server",
          schema: { type: 'string' },
        },
      },
      securitySchemes,
    },
    'x-realtime': { path: '/connect', first_frame: firstFrame },
    'x-events': events,
  };
};
