import { expect, test } from 'vitest';
import type { LimitNews } from '../bus/link-text.ts';
import { CallBudgets, type Count } from './call-budgets.ts';
import type { Ask, Grant } from './limits-store.ts';

const limit = { most: 300, windowMs: 60_000 };

/** Servers in one process, with the database as a map. */
const createServers = (count: number) => {
  let now = 0;
  let isDown = false;
  let isHanging = false;
  const clock = { now: () => now, elapsed: () => now, setTimeout: () => ({ stop: () => undefined }) };
  const rows = new Map<string, { spent: number; startedAt: number }>();
  const asked: number[] = [];
  const servers: CallBudgets[] = [];
  let alive = count;
  const grantOne = ({ key, most, windowMs, owed, least }: Ask): Grant => {
    const found = rows.get(key);
    const row = found && now - found.startedAt < windowMs ? found : { spent: 0, startedAt: now };
    const ahead = Math.max(least, Math.floor((most - row.spent - owed) / (4 * Math.max(1, alive - 1))));
    const calls = Math.max(0, Math.min(most - row.spent, owed + ahead));
    row.spent += calls;
    rows.set(key, row);
    return { key, calls, spent: row.spent, age_ms: now - row.startedAt };
  };
  const add = (): CallBudgets => {
    const budgets = new CallBudgets(clock);
    budgets.join({
      servers: () => alive,
      start: async () => undefined,
      grant: async (asks) => {
        asked.push(asks.length);
        if (isDown) throw new Error('The database is down');
        if (isHanging) await new Promise(() => undefined);
        return asks.map(grantOne);
      },
      giveBack: async (key, calls) => {
        const row = rows.get(key);
        if (row) row.spent -= calls;
      },
      send: (news: LimitNews) => {
        for (const other of servers) if (other !== budgets) other.receive(news);
      },
      onError: () => undefined,
    });
    servers.push(budgets);
    return budgets;
  };
  for (let n = 0; n < count; n++) add();
  return {
    at: (index: number) => servers[index] as CallBudgets,
    asked,
    add: () => {
      alive++;
      return add();
    },
    leave: () => {
      alive--;
    },
    advance: (ms: number) => {
      now += ms;
    },
    goDown: () => {
      isDown = true;
    },
    hang: () => {
      isHanging = true;
    },
  };
};

/** How many of so many calls are let through, one after the other; `choose` names the server of each. */
const countGood = async (count: number, choose: (n: number) => CallBudgets, key = 'ana message') => {
  let good = 0;
  for (let n = 0; n < count; n++) {
    const { current }: Count = await choose(n).take(key, limit);
    if (current <= limit.most) good++;
  }
  return good;
};

test('W4 a server that is alone asks nobody', async () => {
  const servers = createServers(1);

  expect(await countGood(400, () => servers.at(0))).toBe(300);
  expect(servers.asked).toEqual([]);
});

test.each([2, 3, 5])('W4 calls that are spread over %i servers have the limit of one', async (count) => {
  const servers = createServers(count);

  expect(await countGood(400, (n) => servers.at(n % count))).toBe(300);
  expect(servers.asked.length).toBeLessThan(120);
});

test('W4 of several servers one that gets all calls gives the whole limit, with few questions', async () => {
  const servers = createServers(3);

  expect(await countGood(320, () => servers.at(1))).toBe(300);
  expect(servers.asked.length).toBeLessThan(60);
});

test('W4 calls that another server was granted and does not use come back', async () => {
  const servers = createServers(2);

  const first = await countGood(20, () => servers.at(0));
  const second = await countGood(320, () => servers.at(1));

  expect(first + second).toBe(300);
});

test('W4 a caller gets at most a tenth of the limit more, by a few calls at each server', async () => {
  const servers = createServers(5);

  // Below the number from which a server asks.
  const few = await countGood(4 * 2, (n) => servers.at(1 + (n % 4)));
  const rest = await countGood(400, () => servers.at(0));

  expect(few + rest).toBeGreaterThanOrEqual(300);
  expect(few + rest).toBeLessThanOrEqual(330);
});

test('W4 a caller who used a budget up before the second server came gets nothing there', async () => {
  const servers = createServers(1);
  await countGood(300, () => servers.at(0));
  servers.add();
  servers.at(0).onShared();
  await new Promise((resolve) => setImmediate(resolve));

  expect(await countGood(20, () => servers.at(1))).toBe(0);
});

test('W4 the rest of a budget is counted over all servers, and so is the time until it is whole again', async () => {
  const servers = createServers(2);
  await countGood(100, () => servers.at(0));
  servers.advance(20_000);

  const { current, ttl } = await servers.at(1).take('ana message', limit);

  expect(limit.most - current).toBeLessThan(200);
  expect(ttl).toBe(40_000);
});

test('W4 with the next minute the budget is whole, on all servers together', async () => {
  const servers = createServers(2);
  await countGood(400, (n) => servers.at(n % 2));
  servers.advance(60_001);

  expect(await countGood(400, (n) => servers.at(n % 2))).toBe(300);
});

test('W4 while the database is down each server gives its part, and no more', async () => {
  const servers = createServers(2);
  servers.goDown();

  expect(await countGood(300, () => servers.at(0))).toBe(150);
});

test('W4 calls wait a second at most for a database that hangs, and it is asked no more meanwhile', async () => {
  const servers = createServers(2);
  servers.hang();
  const startedAt = performance.now();

  expect(await countGood(300, () => servers.at(0))).toBe(150);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(servers.asked).toHaveLength(1);
});

test('W4 a server that is alone again still counts what the other let through in this minute', async () => {
  const servers = createServers(2);
  await countGood(300, () => servers.at(0));
  servers.leave();

  expect(await countGood(50, () => servers.at(1))).toBe(0);
});
