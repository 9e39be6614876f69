import type { OwnUser } from '@parley/protocol';
import { expect, test, vi } from 'vitest';
import type { FeatureCore } from '../../client.ts';
import { createEvents } from '../../events.ts';
import { createHttp } from '../../http/http.ts';
import { createBatch, createCell } from '../../readable.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { anOwnUser, at } from '../../testing/records.ts';
import { drafts as draftsFeature } from './index.ts';

const cid = 'messaging:general';
const wire = (name: string, status: number) =>
  new Response(JSON.stringify({ name, status, message: name, request_id: 'r' }), { status });

/** A client that is connected, in front of a server that answers saves of a draft as it is said. */
const make = (answers: (() => Response)[]) => {
  const clock = createHandClock();
  const saved: string[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    // Refused: a list that is loaded would save what is unsaved, too.
    if (url.includes('/drafts/query')) return wire('NotAllowed', 403);
    const { message } = JSON.parse(String(init.body));
    saved.push(message.text);
    const draft = { cid, message, version: saved.length, created_at: at(1), updated_at: at(1) };
    return answers.shift()?.() ?? new Response(JSON.stringify({ draft }));
  };
  const visibility = { isVisible: () => true, subscribe: () => () => {} };
  const environment = { fetch, clock, random: () => 0, uuid: () => 'r', visibility };
  const http = createHttp({
    ...{ baseUrl: 'http://h/api', apiKey: 'k', timeout: 3000, withCredentials: false },
    auth: {
      headers: async () => ({}),
      expired: async () => false,
      accepted: () => {},
      session: () => 1,
    },
    environment,
  });
  const me = createCell<OwnUser | undefined>(anOwnUser('ann'), createBatch());
  const events = createEvents(() => {});
  const resets: (() => void)[] = [];
  const drafts = draftsFeature.create({ http, me, events, environment, resets } as unknown as FeatureCore);
  return { drafts, clock, saved };
};

test.each([
  ['a page of a gateway', () => new Response('<html>', { status: 404 })],
  ['a 200 that is not ours', () => new Response('', { status: 200 })],
  ['a server that is overloaded', () => wire('Unavailable', 503)],
])('M8 a draft that met %s is saved later by itself', async (_, answer) => {
  const { drafts, clock, saved } = make([answer]);

  drafts.set(cid, undefined, { text: 'half a thought', rest: {} });
  clock.advance(1000);
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  await vi.waitFor(() => {
    clock.advance(5000);
    expect(saved).toEqual(['half a thought', 'half a thought']);
  });
});

test('M8 a draft that was refused is not sent for ever', async () => {
  const { drafts, clock, saved } = make(Array.from({ length: 20 }, () => () => wire('NotAllowed', 403)));

  drafts.set(cid, undefined, { text: 'no', rest: {} });
  await vi.waitFor(() => {
    clock.advance(5000);
    expect([saved.length > 0, clock.pending]).toEqual([true, 0]);
  });

  expect(saved).toEqual(['no']);
});
