import { expect, test } from 'vitest';
import { parseJsonBody } from './body.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('gives what the JSON says; an empty body says nothing', () => {
  expect(parse('{"a":[1,"é"]}')).toEqual({ a: [1, 'é'] });
  expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
});

test('nests at most 64 deep, and brackets in strings do not count', () => {
  expect(parse(nested(64))).toBeDefined();
  expect(() => parse(nested(65))).toThrow(/64 deep/);
  expect(parse(`{"a":"${'['.repeat(200)}\\"${'{'.repeat(200)}"}`)).toBeDefined();
});

test.each<[string, Buffer, string]>([
  ['broken JSON', Buffer.from('{"a":'), 'body'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body'],
  ['a prototype', Buffer.from('{"__proto__":{"a":1}}'), 'body'],
  ['a prototype further in', Buffer.from('{"message":{"list":[{"__proto__":1}]}}'), 'message.list.0'],
  ['a prototype in escapes', Buffer.from('{"a":{"\\u005f_pr\\u006fto__":{"b":1}}}'), 'a'],
  ['a NUL', Buffer.from('{"message":{"text":"a\\u0000"}}'), 'message.text'],
  ['half a surrogate pair', Buffer.from('{"list":["\\ud83d"]}'), 'list.0'],
  ['a NUL in a key', Buffer.from('{"set":{"\\u0000":1}}'), 'set'],
])('%s is refused and named', (_title, bytes, path) => {
  expect(() => parseJsonBody(bytes)).toThrow(
    expect.objectContaining({ name: 'InputInvalid', details: [expect.objectContaining({ path })] }),
  );
});

test('the word __proto__ is text like any other', () => {
  expect(parse('{"text":"use __proto__","my__proto__key":["__proto__"]}')).toEqual({
    text: 'use __proto__',
    my__proto__key: ['__proto__'],
  });
});

test('a whole surrogate pair, escaped, is text', () => {
  expect(parse('"\\ud83d\\ude00"')).toBe('😀');
});
