import { expect, test } from 'vitest';
import { type OpenApiOperation, openApiDocument } from './openapi.ts';
import { calls, callsByFeature, eventSchemas } from './registry.ts';

const document = openApiDocument({ serverUrl: 'https://chat.example/api', version: '1.2.3' });
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, OpenApiOperation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** Every object inside the document. */
const objectsIn = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
};
const objects = objectsIn(document);

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);

test('every call and every event of the registry is there, and nothing else', () => {
  expect(operations.map(([key]) => key).sort()).toEqual(Object.keys(calls).sort());
  expect(Object.keys(document['x-events']).sort()).toEqual(Object.keys(eventSchemas).sort());
});

test('the head is that of OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: 'Parley', version: '1.2.3' });
  expect(document.servers).toEqual([{ url: 'https://chat.example/api' }]);
  expect(document.tags.map((tag) => tag.name)).toEqual(Object.keys(callsByFeature));
});

test('it is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});

test('every reference leads somewhere', () => {
  const refs = objects.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));

  expect(refs.length).toBeGreaterThan(100);
  expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
});

test('a record that recurs is referred to, not repeated', () => {
  const { Member, ChannelState, QuotedMessage, ...others } = document.components.schemas;

  expect(Member?.properties?.user).toEqual({ $ref: '#/components/schemas/User', description: 'The user.' });
  expect(ChannelState?.properties?.messages?.items).toEqual({ $ref: '#/components/schemas/Message' });
  expect(QuotedMessage?.properties).not.toHaveProperty('quoted_message');
  expect(Object.keys(others)).toEqual(expect.arrayContaining(['User', 'Reaction', 'ReadState', 'Error']));
});

test('a record is found by its name, wherever a call or an event uses it', () => {
  const { Poll, Message } = document.components.schemas;

  expect(Poll?.properties?.options?.items).toEqual({ $ref: '#/components/schemas/PollOption' });
  expect(Message?.properties?.poll?.$ref).toBe('#/components/schemas/Poll');
  expect(document['x-events']['poll.closed']?.schema.properties?.poll?.$ref).toBe(
    '#/components/schemas/Poll',
  );
  expect(document['x-realtime'].first_frame).toEqual({ $ref: '#/components/schemas/ConnectFrame' });
});

test('every property and every parameter is described by one sentence', () => {
  const properties = objects.flatMap(({ type, properties: own }): [string, unknown][] =>
    type === 'object' ? Object.entries(Object(own)) : [],
  );
  const parameters = operations.flatMap(([, { parameters: own }]) =>
    own.map((parameter): [string, unknown] => [parameter.name, parameter]),
  );
  const bare = [...properties, ...parameters].filter(([, one]) => !/^\S.*\.$/.test(Object(one).description));

  expect(properties.length).toBeGreaterThan(400);
  expect(bare.map(([name]) => name)).toEqual([]);
});

test('no keyword is left that only we know', () => {
  expect(objects.filter((object) => 'errorText' in object)).toEqual([]);
  expect(objects.flatMap(Object.keys).filter((key) => key.startsWith('~'))).toEqual([]);
  expect(document.components.schemas.Id?.['x-error-text']).toContain('1 to 64');
});

test.each(operations)('%s has an id, a tag, its path parameters and an answer', (key, operation) => {
  const inPath = [...key.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const named = operation.parameters.filter((parameter) => parameter.in === 'path');

  expect(operation.operationId).toMatch(/^[a-z]+[A-Za-z0-9]+$/);
  expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0]);
  expect(named.map((parameter) => parameter.name)).toEqual(inPath);
  expect(named.every((parameter) => parameter.required)).toBe(true);
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['default']));
  expect(operation.requestBody !== undefined && key.startsWith('GET')).toBe(false);
});

test('ids of operations and names of parameters are unique', () => {
  const ids = operations.map(([, operation]) => operation.operationId);
  const doubled = operations.filter(([, { parameters }]) => {
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    return new Set(names).size !== names.length;
  });

  expect(new Set(ids).size).toBe(ids.length);
  expect(doubled).toEqual([]);
});

test('each security requirement names a scheme, and a call for the server takes no anonymous caller', () => {
  const schemes = Object.keys(document.components.securitySchemes);
  const used = operations.flatMap(([, operation]) => operation.security.flatMap(Object.keys));
  const forServer = operations.filter(([, operation]) => operation['x-side'] === 'S');

  expect(used.filter((name) => !schemes.includes(name))).toEqual([]);
  expect(forServer.every(([, { security }]) => security.every((entry) => 'token' in entry))).toBe(true);
});

test('an event of the log must carry cid and seq, another need not', () => {
  const { 'message.new': logged, 'typing.start': passing } = document['x-events'];

  expect(logged?.schema.required).toEqual(['type', 'created_at', 'cid', 'seq', 'message']);
  expect(logged?.schema.properties?.type).toMatchObject({ const: 'message.new' });
  expect(passing?.schema.required).toEqual(['type', 'created_at', 'user']);
});
