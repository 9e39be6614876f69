import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient, type ParleyClient } from '../../index.ts';
import { type ChatDouble, startChatDouble } from '../../testing/chat-double.ts';
import { createHandClock, type HandClock } from '../../testing/hand-clock.ts';

let server: ChatDouble;
let client: ParleyClient;
let clock: HandClock;
let delays: number[];
const cid = 'messaging:general';
const at = (ms: number) => new Date(ms).toISOString();
const muted = () => client.me.get()?.channel_mutes.map(({ channel_cid }) => channel_cid);

const mute = async (expires?: string) => {
  const channel_mutes = [
    { channel_cid: cid, created_at: at(0), ...(expires ? { expires } : {}) },
    { channel_cid: 'messaging:forever', created_at: at(0) },
  ];
  const totals = { total_unread_count: 0, unread_channels: 0 };
  server.state.broadcast({ type: 'notification.channel_mutes_updated', channel_mutes, ...totals });
  await vi.waitFor(() => expect(muted()).toHaveLength(2));
};

beforeEach(async () => {
  server = await startChatDouble();
  clock = createHandClock();
  delays = [];
  const setTimeout: HandClock['setTimeout'] = (run, ms) => {
    delays.push(ms);
    return clock.setTimeout(run, ms);
  };
  const environment = { clock: { ...clock, setTimeout } };
  client = createClient({ apiKey: 'k', baseUrl: server.url, environment });
  await client.connectUser({ id: 'ann' }, 'ann');
});
afterEach(async () => {
  await client.disconnect();
  await server.stop();
});

test('M14 a mute is dropped at its time, without a word from the server; others stay', async () => {
  // Shorter than the silence after which the client connects anew: the new connection would bring mutes of its own.
  const ms = 20_000;
  await mute(at(ms));
  await vi.waitFor(() => expect(delays).toContain(ms));

  clock.advance(ms - 1);
  expect(muted()).toHaveLength(2);
  clock.advance(1);

  expect(muted()).toEqual(['messaging:forever']);
});

test('M14 a mute of months asks for no timer that would run at once', async () => {
  await mute(at(90 * 86_400_000));

  await vi.waitFor(() => expect(delays).toContain(2_000_000_000));
  expect(Math.max(...delays)).toBeLessThan(2 ** 31);
  expect(muted()).toHaveLength(2);
});
