import { expect, test } from 'vitest';
import type { DemoChannel } from './conversations/types.ts';
import { demoWorld } from './world.ts';

const validId = /^[A-Za-z0-9@_.!~*'()-]{1,64}$/;
const { users, channels } = demoWorld;
const userById = new Map(users.map((user) => [user.id, user]));
const messages = channels.flatMap((channel) => channel.messages);
const labelOf = (channel: DemoChannel) => channel.id ?? channel.members.join('+');
const cases = channels.map((channel) => ({ channel, label: labelOf(channel) }));

test('people have valid, unique ids and real time zones', () => {
  expect(userById.size).toBe(users.length);
  for (const user of users) {
    expect(user.id).toMatch(validId);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: user.timezone })).not.toThrow();
  }
});

test('there are thirteen people, one admin and one moderator', () => {
  const count = (role: string) => users.filter((user) => user.role === role).length;

  expect(users).toHaveLength(13);
  expect(count('admin')).toBe(1);
  expect(count('moderator')).toBe(1);
});

test('channels differ by id or, when direct, by members', () => {
  const labels = channels.map((channel) =>
    channel.direct ? [...channel.members].sort().join('+') : `${channel.type}:${channel.id}`,
  );

  expect(new Set(labels).size).toBe(channels.length);
  for (const channel of channels) {
    if (!channel.direct) expect(channel.id).toMatch(validId);
  }
});

test.each(cases)('$label has members who exist, its creator among them', ({ channel }) => {
  expect(new Set(channel.members).size).toBe(channel.members.length);
  expect(channel.members.filter((id) => !userById.has(id))).toEqual([]);
  expect(channel.members).toContain(channel.createdBy);
});

test.each(cases)('$label is written, mentioned and reacted in by members only', ({ channel }) => {
  const members = new Set(channel.members);

  for (const { by, mentions = [], reactions = {} } of channel.messages) {
    const people = [by, ...mentions, ...Object.values(reactions).flat()];
    expect(people.filter((id) => !members.has(id))).toEqual([]);
  }
});

test.each(cases)('$label counts each person once per reaction and never the author', ({ channel }) => {
  for (const { by, reactions = {} } of channel.messages) {
    for (const ids of Object.values(reactions)) {
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain(by);
    }
  }
});

test.each(cases)('$label quotes and answers only earlier messages, one thread deep', ({ channel }) => {
  const seen = new Map<string, string | undefined>();

  for (const message of channel.messages) {
    const { key, quote, replyTo } = message;
    if (quote !== undefined) expect(seen.has(quote), quote).toBe(true);
    if (replyTo !== undefined) expect(seen.has(replyTo), replyTo).toBe(true);
    if (replyTo !== undefined) expect(seen.get(replyTo), replyTo).toBeUndefined();
    if (key !== undefined) expect(seen.has(key), key).toBe(false);
    if (key !== undefined) seen.set(key, replyTo);
  }
});

test.each(cases)('$label moves forward in time and ends within the last hour', ({ channel }) => {
  const times = channel.messages.map((message) => message.minutesAgo);
  const sorted = [...new Set(times)].sort((a, b) => b - a);

  expect(times).toEqual(sorted);
  expect(times.at(0)).toBeLessThan(11 * 1440);
  expect(times.at(-1)).toBeGreaterThan(0);
  expect(times.at(-1)).toBeLessThan(60);
});

test('a mention is written with the full name of the person', () => {
  for (const { text, mentions = [] } of messages) {
    for (const id of mentions) expect(text).toContain(`@${userById.get(id)?.name}`);
  }
});

test('links lead to example.com only and every message has a text or a file', () => {
  for (const { text, files = [] } of messages) {
    expect(text.trim() !== '' || files.length > 0).toBe(true);
    for (const [link] of text.matchAll(/https?:\/\/\S+/g)) expect(link).toMatch(/^https:\/\/example\.com\//);
  }
});

test('there is enough of everything to look alive', () => {
  const count = (field: 'replyTo' | 'quote' | 'reactions' | 'edited' | 'deleted' | 'system' | 'mentions') =>
    messages.filter((message) => message[field] !== undefined).length;

  expect(messages.length).toBeGreaterThanOrEqual(350);
  expect(messages.length).toBeLessThanOrEqual(520);
  expect(new Set(channels.map((channel) => channel.type)).size).toBe(5);
  expect(count('replyTo')).toBeGreaterThan(40);
  expect(count('quote')).toBeGreaterThan(20);
  expect(count('reactions')).toBeGreaterThan(200);
  expect(count('edited')).toBeGreaterThanOrEqual(3);
  expect(count('deleted')).toBe(2);
  expect(messages.some(({ text }) => /\p{Script=Arabic}/u.test(text))).toBe(true);
  expect(messages.some(({ text }) => /\p{Script=Hiragana}/u.test(text))).toBe(true);
});

test.each(['ana', 'bo', 'priya'])('%s signs in to a full list', (id) => {
  const mine = channels.filter((channel) => channel.members.includes(id));

  expect(mine.length).toBeGreaterThanOrEqual(8);
  expect(mine.filter((channel) => channel.direct).length).toBeGreaterThanOrEqual(3);
});
