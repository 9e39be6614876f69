import { expect, test } from 'vitest';
import type { Session } from '../session/session.ts';
import { type EarlyWorld, startEarly } from './start-early.ts';
import { takeEarly } from './take-early.ts';

const ana: Session = { kind: 'user', id: 'ana' };

type Answers = Record<string, () => Response>;

const aWorld = (answers: Answers, session: Session | undefined = ana, kept: string | null = null) => {
  const asked: string[] = [];
  const world: EarlyWorld = {
    config: { apiKey: 'key', demo: true },
    ...{ session, path: '/c/team/general', version: 'v1', now: () => 1000 },
    storage: { getItem: () => kept, setItem: () => {}, removeItem: () => {} },
    fetch: async (input) => {
      asked.push(String(input));
      return answers[String(input)]?.() ?? new Response('{}', { status: 500 });
    },
  };
  return { world, asked };
};

const user = { id: 'ana', name: 'Ana', role: 'user', created_at: '', updated_at: '' };
const state = (cid: string) => ({ channel: { cid }, membership: { user }, messages: [{}, {}, {}] });
const good: Answers = {
  '/api/dev/token': () => Response.json({ access_token: 'token of ana' }),
  '/api/channels': () => Response.json({ channels: [state('team:general')] }),
};
const early = (world: EarlyWorld) => ({ version: 'v1', begun: startEarly(world) });

test('W1 the token, the list and the open conversation are asked for before the app is there', async () => {
  const { world, asked } = aWorld(good);
  const begun = await takeEarly(early(world), ana);

  expect(asked).toEqual(['/api/dev/token', '/api/channels', '/api/channels']);
  expect(await begun.takeToken()).toBe('token of ana');
  expect(begun.screen).toMatchObject({ me: { id: 'ana', unread_count: 0 }, cids: ['team:general'] });
  // The list asked for 3 messages, the conversation for 25.
  expect(begun.screen?.channels.map(({ has_older }) => has_older)).toEqual([false]);
});

const keptWith = (channels: unknown[]) =>
  JSON.stringify({
    version: 'v1',
    at: 1000,
    screen: { me: user, query: {}, cids: ['team:general'], channels },
  });

test('W1 the list is not asked for where the device has kept it', async () => {
  const { world, asked } = aWorld(good, ana, keptWith([{ ...state('team:general'), has_older: true }]));
  expect((await takeEarly(early(world), ana)).screen?.channels[0]?.has_older).toBe(true);
  expect(asked).toEqual(['/api/dev/token']);
});

test('W1 a kept screen without channels does not stand in the way of the early list', async () => {
  const { world } = aWorld(good, ana, keptWith([]));
  expect((await takeEarly(early(world), ana)).screen?.channels).toHaveLength(1);
});

test('W1 early calls are handed over once, and to nobody but their user', async () => {
  const made = early(aWorld(good).world);
  const bo = await takeEarly(made, { kind: 'user', id: 'bo' });
  expect([bo.screen, bo.takeToken()]).toEqual([undefined, undefined]);

  const second = early(aWorld(good).world);
  const first = await takeEarly(second, ana);
  expect(first.takeToken()).toBeDefined();
  expect(first.takeToken()).toBeUndefined();
  expect((await takeEarly(second, ana)).screen).toBeUndefined();
});

test('W1 a screen that names another user than the session is not shown', async () => {
  const { world } = aWorld(good, { kind: 'user', id: 'bo' });
  expect((await takeEarly(early(world), { kind: 'user', id: 'bo' })).screen).toBeUndefined();
});

test.each([
  ['token', { '/api/channels': good['/api/channels'] }],
  ['list', { '/api/dev/token': good['/api/dev/token'] }],
])('W1 an early %s that fails leaves the app to ask in its own way', async (_, answers) => {
  const begun = await takeEarly(early(aWorld(answers as Answers).world), ana);
  expect(begun.screen).toBeUndefined();
});

test('W1 nothing is asked for guests, visitors, nobody, or with a token that has expired', () => {
  const expired = `x.${btoa(JSON.stringify({ user_id: 'ana', exp: 0 }))}.x`;
  const others: (Session | undefined)[] = [
    { kind: 'guest', id: 'g', name: 'G' },
    { kind: 'anonymous' },
    { kind: 'token', id: 'ana', token: expired },
  ];
  for (const session of others) {
    const { world, asked } = aWorld(good, session);
    expect(startEarly(world)).toBeUndefined();
    expect(asked).toEqual([]);
  }
  expect(startEarly({ ...aWorld(good).world, session: undefined })).toBeUndefined();
});
