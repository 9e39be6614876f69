import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDraining } from './draining.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('C7 clients are asked to move also while the database does not answer', async () => {
  const askToMove = vi.fn();
  const drains = { drain: () => undefined };
  const draining = createDraining({
    kernel: {
      config: { drain: { readyMs: 100, reconnectMs: 5000 } },
      others: { limits: { releaseConnections: () => new Promise<void>(() => undefined) } },
    },
    hub: { askToMove, size: () => ({ connections: 0, users: 0, rooms: 0 }) },
    sockets: drains,
    longPoll: drains,
    server: createServer(),
    cluster: { isShared: true },
  });

  const run = draining.run();
  await vi.advanceTimersByTimeAsync(1100);
  await run;

  expect(askToMove).toHaveBeenCalledWith(5000);
});
