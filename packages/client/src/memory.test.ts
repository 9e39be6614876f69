import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import type { Socket } from './environment.ts';
import { aChannel, aMessage, anOwnUser, aSnapshot, at } from './testing/records.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** The least after several collections: the first ones run finalizers, and what these let go of is free only after the next. */
const heap = async (): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
};

/** A server in this process that has every channel it is asked for. */
const connect = async () => {
  let socket: Socket | undefined;
  class OwnSocket implements Socket {
    readyState = 1;
    onopen: Socket['onopen'] = null;
    onmessage: Socket['onmessage'] = null;
    onclose: Socket['onclose'] = null;
    onerror: Socket['onerror'] = null;
    constructor() {
      socket = this;
      queueMicrotask(() => this.onopen?.({} as never));
    }
    send(): void {
      const hello = { type: 'health.check', connection_id: 'c', me: anOwnUser('ann'), created_at: at(0) };
      queueMicrotask(() => receive(hello));
    }
    close(): void {}
  }
  const receive = (event: object) => socket?.onmessage?.({ data: JSON.stringify(event) } as never);
  const fetch = async (url: string): Promise<Response> => {
    const id = /channels\/messaging\/([^/?]+)\/query/.exec(url)?.[1];
    if (id === undefined) return Response.json({});
    // Reports of what arrived leave by the hundred each second: they would still be waiting.
    const channel = { ...aChannel(`messaging:${id}`), config: { delivery_events: false } };
    return Response.json({ ...aSnapshot(channel.cid), channel, messages: [aMessage('m')] });
  };
  const environment = { fetch, WebSocket: OwnSocket };
  const client = createClient({ apiKey: 'k', baseUrl: 'http://test.invalid/api', environment });
  await client.connectUser({ id: 'ann' }, 'token');
  return { client, receive };
};

test('C7 ten thousand channels that were opened, changed and left leave nothing behind', async () => {
  const { client, receive } = await connect();
  let calls = 0;
  const visit = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const cid = await client.channels.open('messaging', `room-${n}`);
      const stop = client.channels.state(cid).subscribe(() => {
        calls += 1;
      });
      const seq = (client.channels.state(cid).get()?.seq ?? 0) + 1;
      receive({
        type: 'message.new',
        cid,
        seq,
        created_at: at(2),
        message: aMessage(`m-${n}`, { cid, number: 2 }),
      });
      // A hole: what came early waits for a fill that the leaving makes void.
      receive({
        type: 'message.new',
        cid,
        seq: seq + 5,
        created_at: at(9),
        message: aMessage(`e-${n}`, { cid }),
      });
      await Promise.resolve();
      stop();
      await client.channels.stopWatching(cid);
    }
  };
  await visit(0, 1000);
  const before = await heap();
  await visit(1000, 10_000);
  const grown = (await heap()) - before;

  expect(calls).toBeGreaterThanOrEqual(10_000);
  expect(client.channels.active.get()).toEqual([]);
  // A channel may keep less than 50 bytes: not one of its messages, ids or listeners.
  expect(grown).toBeLessThan(9000 * 50);
  await client.disconnect();
});
