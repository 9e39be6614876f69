import { selectTypers } from '@parley/client';
import { createTestChat, createTestClock, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientClock, pause } from './support.ts';

const cid = 'messaging:room';
const anaClock = createTestClock();
const boClock = createTestClock();
let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  ana = await chat.connect('ana', { environment: { clock: clientClock(anaClock) } });
  bo = await chat.connect('bo', { environment: { clock: clientClock(boClock) } });
  await ana.client.channels.open('messaging', 'room');
  await bo.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const typers = (who: TestClient, parentId?: string): string[] => {
  const state = who.client.channels.state(cid).get();
  return state ? selectTypers(state, parentId).map(({ id }) => id) : [];
};
const path = { type: 'messaging', id: 'room' };

test('M9 a typing user is seen by the others, not by themselves, until they stop', async () => {
  ana.client.typing.keystroke(cid);
  await until(() => typers(bo).includes('ana'), 'Ana typing at Bo');
  expect(typers(ana)).toEqual([]);

  ana.client.typing.stop(cid);
  await until(() => typers(bo).length === 0, 'the stop at Bo');
});

test('M9 a typer who says no more is dropped after 7 s', async () => {
  const raw = await chat.as('ana');
  await raw.call('POST /channels/{type}/{id}/event', { path, body: { event: { type: 'typing.start' } } });
  await until(() => typers(bo).includes('ana'), 'Ana typing at Bo');

  boClock.advance(6999);
  expect(typers(bo)).toEqual(['ana']);

  boClock.advance(1);
  expect(typers(bo)).toEqual([]);
});

test('M9 a client says stop by itself 7 s after the last key', async () => {
  ana.client.typing.keystroke(cid);
  await until(() => typers(bo).includes('ana'), 'Ana typing at Bo');

  anaClock.advance(5000);
  ana.client.typing.keystroke(cid);
  anaClock.advance(6999);
  await pause(50);
  expect(typers(bo)).toEqual(['ana']);

  anaClock.advance(1);
  await until(() => typers(bo).length === 0, 'the stop at Bo');
});

test('M9 many keys send few events', async () => {
  let sent = 0;
  ana.faults.onCall((url) => {
    if (url.endsWith('/event')) sent++;
    return undefined;
  });

  for (let key = 0; key < 50; key++) ana.client.typing.keystroke(cid);

  expect(sent).toBeLessThanOrEqual(1);
  ana.client.typing.stop(cid);
  ana.faults.onCall(undefined);
});

test('M9 typing in a thread is not typing in the channel', async () => {
  const parent = await ana.client.messages.send(cid, { text: 'thread' });

  ana.client.typing.keystroke(cid, parent.id);

  await until(() => typers(bo, parent.id).includes('ana'), 'Ana typing in the thread');
  expect(typers(bo)).toEqual([]);
  ana.client.typing.stop(cid, parent.id);
  await until(() => typers(bo, parent.id).length === 0, 'the stop');
});

test('M9 a stranger may not type, and nobody where it is switched off', async () => {
  const cy = await chat.as('cy');
  const raw = await chat.as('ana');
  const event = { type: 'typing.start' };
  await chat.admin.channels.create('livestream', 'live', { created_by_id: 'ana', members: ['ana'] });

  const stranger = await cy.refused('POST /channels/{type}/{id}/event', { path, body: { event } });
  const off = await raw.refused('POST /channels/{type}/{id}/event', {
    path: { type: 'livestream', id: 'live' },
    body: { event },
  });

  expect([stranger.code, off.code]).toEqual([17, 17]);
  expect(off.message).toContain('typing-events');
});

test('M9 custom events pass, but none that looks like one of the server', async () => {
  const raw = await chat.as('ana');
  const received: unknown[] = [];
  bo.client.on('all', (event) => {
    if ((event.type as string) === 'wave') received.push(event);
  });
  const wave = { type: 'wave', hand: 'left' };
  const send = (event: object) => raw.refused('POST /channels/{type}/{id}/event', { path, body: { event } });

  await raw.call('POST /channels/{type}/{id}/event', {
    path,
    body: { event: wave },
  });

  await until(() => received.length === 1, 'the wave');
  expect(received[0]).toMatchObject({ type: 'wave', hand: 'left', cid, user: { id: 'ana' } });
  for (const type of ['message.new', 'channel.deleted', 'notification.x', 'health.check', 'connection.error'])
    expect(await send({ type })).toMatchObject({ code: 4 });
  for (const key of ['seq', 'cid', 'user', 'created_at'])
    expect((await send({ type: 'wave', [key]: 1 })).status).toBeGreaterThanOrEqual(400);
  expect(await send({ type: 'wave', big: 'x'.repeat(6000) })).toMatchObject({ code: 4 });
});
