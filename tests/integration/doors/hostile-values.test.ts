import { type CallKey, callMethod, callPath, calls } from '@parley/protocol';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Ask } from './actors.ts';
import type { Door } from './door.ts';
import { appDoors } from './doors-of-app.ts';
import { messageDoors } from './doors-of-messages.ts';
import { roomDoors } from './doors-of-rooms.ts';
import { makeWorld, type World } from './world.ts';

const doors: Record<CallKey, Door[]> = { ...roomDoors, ...messageDoors, ...appDoors };
/** A long-poll waits, and the others end the rights that the rest of the test needs. */
const left = new Set<string>([
  'POST /longpoll',
  'DELETE /longpoll',
  'POST /users/{id}/deactivate',
  'PATCH /app',
]);
const keys = (Object.keys(calls) as CallKey[]).filter((key) => !left.has(key));

const hostile: [string, unknown][] = [
  ['a null character', '\u0000'],
  ['a null character inside', 'a\u0000b'],
  ['half a surrogate pair', '\ud800'],
  ['a long string', 'x'.repeat(70_000)],
  ['__proto__', '__proto__'],
  ['an object with __proto__', JSON.parse('{"__proto__":{"a":1}}')],
  ['an empty string', ''],
  ['a space', ' '],
  ['an empty object', {}],
  ['an empty list', []],
  ['null', null],
];

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
};

/** A value that the schema may take, with what it requires. */
const sampleOf = (schema: Schema): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
  if (schema.type === 'string') return 'word';
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1;
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items)] : [];
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]));
};

type Place = (string | number)[];

/** Every place of the schema where a string may stand. */
const placesOf = (schema: Schema, at: Place = []): Place[] => {
  if (at.length > 5) return [];
  const inside = (name: string | number, one: Schema) => placesOf(one, [...at, name]);
  const variants = (schema.anyOf ?? []).flatMap((one) => placesOf(one, at));
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => inside(name, one));
  const free = Object.values(schema.patternProperties ?? {}).flatMap((one) => inside('word', one));
  const open = schema.type === 'object' && schema.additionalProperties !== false ? [[...at, 'mood']] : [];
  const listed = schema.items ? inside(0, schema.items) : [];
  const own = schema.type === 'string' ? [at] : [];
  return [...own, ...variants, ...named, ...free, ...open, ...listed];
};

const put = (target: unknown, [name, ...rest]: Place, value: unknown): unknown => {
  if (name === undefined) return value;
  const record = typeof target === 'object' && target !== null ? target : {};
  if (typeof name === 'number') return [put(Array.isArray(target) ? target[0] : undefined, rest, value)];
  return { ...record, [name]: put((record as Record<string, unknown>)[name], rest, value) };
};

let chat: TestChat;
let world: World;
beforeAll(async () => {
  chat = await createTestChat();
  world = await makeWorld(chat);
});
afterAll(() => chat.stop());

type Case = { what: string; ask: Ask };

const casesOf = (schema: Schema | undefined, ask: Ask): Case[] => {
  const texts = hostile.flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const inPath = Object.keys(ask.path ?? {}).flatMap((name) =>
    texts.map(([what, value]) => ({
      what: `{${name}}: ${what}`,
      // Half a pair cannot be written in a URL; tests/integration/bad-input.test.ts sends its bytes.
      ask: { ...ask, path: { ...ask.path, [name]: value.slice(0, 4000).toWellFormed() } },
    })),
  );
  const inQuery = Object.keys(ask.query ?? {}).flatMap((name) =>
    texts.map(([what, value]) => ({
      what: `?${name}: ${what}`,
      ask: { ...ask, query: { ...ask.query, [name]: value.slice(0, 4000) } },
    })),
  );
  if (!schema || ask.form) return [...inPath, ...inQuery];
  const body = { ...(sampleOf(schema) as object), ...(ask.body as object | undefined) };
  const unique = new Map(placesOf(schema).map((place) => [place.join('.'), place]));
  const inBody = [...unique].flatMap(([name, place]) =>
    hostile.map(([what, value]) => ({
      what: `${name}: ${what}`,
      ask: { ...ask, body: put(body, place, value) },
    })),
  );
  const empty = [{}, { set: {} }, { set: {}, unset: [] }].map((one) => ({
    what: JSON.stringify(one),
    ask: { ...ask, body: one },
  }));
  return [...inPath, ...inQuery, ...inBody, ...empty];
};

/** Undefined where the answer is as it should be: good, or a refusal in words that names the field of a wrong input. */
const faultOf = ({ status, body, text }: Answer): string | undefined => {
  if (status >= 500) return text;
  const { name, details } = body as { name?: string; details?: { path?: string }[] };
  return name === 'InputInvalid' && !details?.[0]?.path ? text : undefined;
};

test.each(keys)('protocol 3 %s answers hostile values in words, and never with a fault', async (key) => {
  const room = await world.makeRoom();
  const side = (calls[key] as { side?: string }).side;
  const caller = side === 'S' ? world.people.callers.server : world.people.callers.owner;
  const faults: string[] = [];
  for (const door of doors[key].slice(0, 2)) {
    const path = { type: room.type, id: room.id };
    const scene = { world, room, path, mine: 'owner', whose: 'owner', creator: 'owner' as const };
    const asked = await door.ask(scene);
    if (!asked) continue;
    const cases = casesOf((calls[key] as { body?: Schema }).body, asked);
    for (let start = 0; start < cases.length; start += 8)
      await Promise.all(
        cases.slice(start, start + 8).map(async ({ what, ask }) => {
          const fault = faultOf(await caller(callMethod(key), callPath(key), ask));
          if (fault !== undefined) faults.push(`${what}: ${fault.slice(0, 300)}`);
        }),
      );
  }
  expect(faults).toEqual([]);
});
