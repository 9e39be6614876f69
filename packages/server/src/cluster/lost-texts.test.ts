import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BusEvent, createLocalBus, type StoredEvent } from '../bus/bus.ts';
import type { Link, LinkListener } from '../bus/link.ts';
import { migrate } from '../db/migrate.ts';
import { createPools, type Pools } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { Cluster } from './cluster.ts';

const base = process.env.PARLEY_TEST_PG ?? '';
const name = `lost_texts_${crypto.randomUUID().replaceAll('-', '')}`;
const cid = 't:a';
let admin: pg.Client;
let pools: Pools;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: base });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  pools = createPools(url.href, () => undefined);
  await migrate(pools.pool);
  await pools.pool.query(`insert into channel_types (name, config, permissions) values ('t', '{}', '{}')`);
  await pools.pool.query(
    `insert into channels (cid, type, id, created_at, updated_at) values ('${cid}', 't', 'a', now(), now())`,
  );
});
afterAll(async () => {
  await pools.end();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

/** A bus in memory, where each server has a link that can be cut. */
const createBus = () => {
  const listeners = new Set<LinkListener>();
  const connect = () => {
    let own: LinkListener | undefined;
    let isUp = true;
    const link: Link = {
      ...{ isBroadcast: true, mostBytes: 1_000_000, isUp: () => isUp },
      send: (_, text) => {
        if (isUp)
          queueMicrotask(() => {
            for (const listener of listeners) listener.onText(text);
          });
        return isUp;
      },
      ...{ subscribe: () => undefined, unsubscribe: () => undefined, settled: async () => undefined },
      start: async (listener) => {
        own = listener;
        listeners.add(listener);
      },
      stop: async () => undefined,
    };
    const setUp = (up: boolean): void => {
      isUp = up;
      if (up) own?.onUp();
    };
    return { link, setUp };
  };
  return { connect };
};

/** Its time stands still, as for a server that is so busy that it takes nobody for silent. */
const clock = { ...systemClock, elapsed: () => 0 };

const startOne = async (bus: ReturnType<typeof createBus>) => {
  const { link, setUp } = bus.connect();
  const fail = (error: unknown) => {
    throw error;
  };
  const local = createLocalBus(fail);
  const events: BusEvent[] = [];
  local.subscribe((event) => void events.push(event));
  const cluster = new Cluster({ pools, clock, log: { error: () => {} }, local, link, database: link });
  await cluster.start({ read: async (payloads) => [...payloads] });
  return { cluster, events, setUp };
};

test('W4 the logs are compared when the link of another server is there again, though it was not away for long enough to seem silent', async () => {
  const bus = createBus();
  const writer = await startOne(bus);
  const reader = await startOne(bus);
  await vi.waitFor(() => expect([writer.cluster.isShared, reader.cluster.isShared]).toEqual([true, true]));
  reader.cluster.followChannel(cid, true);
  await reader.cluster.following();

  writer.setUp(false);
  await pools.pool.query('delete from channels where cid = $1', [cid]);
  const deleted: StoredEvent = { kind: 'channel', cid, type: 'channel.deleted', json: '{}', seq: 1 };
  const { dropped } = writer.cluster.counts;
  writer.cluster.bus.publish(deleted);
  // The event, and all signs of life that name its number.
  await vi.waitFor(() => expect(writer.cluster.counts.dropped).toBeGreaterThanOrEqual(dropped + 4));
  writer.setUp(true);

  await vi.waitFor(() =>
    expect(reader.events).toContainEqual(expect.objectContaining({ cid, type: 'channel.deleted' })),
  );
  for (const { cluster } of [reader, writer]) await cluster.stop();
});
