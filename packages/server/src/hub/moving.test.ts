import { closeCodes } from '@parley/protocol';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { Renewal } from './moving.ts';

test('W4 a connection whose events may be lost is asked once to renew itself, and closed if it stays', () => {
  vi.useFakeTimers();
  const seen: unknown[] = [];
  const sink = {
    send: ({ json }: { json: string }) => void seen.push(JSON.parse(json)),
    close: (code: number) => void seen.push(code),
  };
  const connection = { sink, isMoving: false };
  const renewal = new Renewal({ clock: systemClock, now: () => 'now' });

  renewal.ask([connection]);
  renewal.ask([connection]);
  const request = { type: 'connection.draining', created_at: 'now', within_ms: 4000 };
  vi.advanceTimersByTime(request.within_ms + 900);
  expect(seen).toEqual([request]);

  vi.advanceTimersByTime(2100);
  expect(seen).toEqual([request, closeCodes.goingAway]);
  vi.useRealTimers();
});
