import type { ConnectionState } from '@parley/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBox } from '../chat/readables.ts';
import { bannerView } from './banner-view.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const online: ConnectionState = { status: 'online', connectionId: 'c', transport: 'ws' };

test('a first connection that opens at once is not mentioned', () => {
  const connection = createBox<ConnectionState>({ status: 'connecting', attempt: 0 });
  const view = bannerView(connection);
  view.subscribe(() => {});

  vi.advanceTimersByTime(500);
  connection.set(online);
  vi.advanceTimersByTime(5000);

  expect(view.get()).toEqual({ state: 'online' });
});

test('a slow first connection is mentioned', () => {
  const view = bannerView(createBox<ConnectionState>({ status: 'connecting', attempt: 0 }));
  view.subscribe(() => {});

  vi.advanceTimersByTime(1000);

  expect(view.get()).toEqual({ state: 'connecting' });
});

test('a break counts down, and its end is shown for a moment', () => {
  const connection = createBox<ConnectionState>(online);
  const view = bannerView(connection);
  view.subscribe(() => {});

  connection.set({ status: 'waiting', attempt: 1, retryAt: Date.now() + 3000 });
  vi.advanceTimersByTime(1000);
  expect(view.get()).toEqual({ state: 'reconnecting', seconds: 2 });
  connection.set(online);
  expect(view.get()).toEqual({ state: 'recovered' });
  vi.advanceTimersByTime(3000);

  expect(view.get()).toEqual({ state: 'online' });
});
