import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient, type ParleyClient } from '../../index.ts';
import { type ChatDouble, startChatDouble } from '../../testing/chat-double.ts';
import { createHandClock, type HandClock } from '../../testing/hand-clock.ts';
import { aUser } from '../../testing/records.ts';

const cid = 'messaging:general';
let server: ChatDouble;
let client: ParleyClient;
let clock: HandClock;
const sent = () => server.requestsTo('/channels/messaging/general/event').map(({ body }) => body.event.type);
const typing = () =>
  client.channels
    .state(cid)
    .get()
    ?.typing.map(({ id }) => id);

beforeEach(async () => {
  server = await startChatDouble();
  clock = createHandClock();
  client = createClient({ apiKey: 'k', baseUrl: server.url, environment: { clock } });
  await client.connectUser({ id: 'ann' }, 'ann');
  await client.channels.open('messaging', 'general');
});
afterEach(async () => {
  await client.disconnect();
  await server.stop();
});

test('M9 keystrokes are sent at most every 2.5 s, and a stop after 7 s of silence', async () => {
  client.typing.keystroke(cid);
  client.typing.keystroke(cid);
  clock.advance(2500);
  client.typing.keystroke(cid);
  await vi.waitFor(() => expect(sent()).toEqual(['typing.start', 'typing.start']));

  clock.advance(7000);

  await vi.waitFor(() => expect(sent()).toEqual(['typing.start', 'typing.start', 'typing.stop']));
});

test('M9 someone who types is shown, and no longer after 7 s', async () => {
  server.state.broadcast({ type: 'typing.start', cid, user: aUser('bea') });
  await vi.waitFor(() => expect(typing()).toEqual(['bea']));

  clock.advance(6999);
  expect(typing()).toEqual(['bea']);
  clock.advance(1);

  expect(typing()).toEqual([]);
});

test('M9 a message ends the typing of its author; the own typing is never shown', async () => {
  server.state.broadcast({ type: 'typing.start', cid, user: aUser('ann') });
  server.state.broadcast({ type: 'typing.start', cid, user: aUser('bea') });
  await vi.waitFor(() => expect(typing()).toEqual(['bea']));

  server.state.post(cid, { user: aUser('bea') });

  await vi.waitFor(() => expect(typing()).toEqual([]));
});

test('M9 typing in a thread is not typing in the channel', async () => {
  server.state.broadcast({ type: 'typing.start', cid, user: aUser('bea'), parent_id: 'p' });

  await vi.waitFor(() =>
    expect(client.channels.state(cid).get()?.threadTyping).toMatchObject([{ parentId: 'p' }]),
  );
  expect(typing()).toEqual([]);
});

test('C5 disconnecting leaves no timer behind', async () => {
  client.typing.keystroke(cid);
  server.state.broadcast({ type: 'typing.start', cid, user: aUser('bea') });
  await vi.waitFor(() => expect(typing()).toEqual(['bea']));
  await vi.waitFor(() => expect(sent()).toHaveLength(1));

  await client.disconnect();

  await vi.waitFor(() => expect(clock.pending).toBe(0));
});
