import { ParleyError } from '@parley/protocol/errors';
import { expect, test, vi } from 'vitest';
import type { Core } from './core.ts';
import { createEvents } from './events.ts';
import { NetworkError } from './http/network-error.ts';
import { askQuietly, persist } from './retry.ts';
import { createHandClock } from './testing/hand-clock.ts';

const make = () => {
  const clock = createHandClock();
  const events = createEvents(() => undefined);
  return { clock, events, world: { clock, random: () => 1, on: events.on } };
};
const failing = (error: Error) => vi.fn(async (): Promise<string> => Promise.reject(error));

test('C7 a call that the network lost is repeated with growing pauses until it is done', async () => {
  const { clock, world } = make();
  const run = failing(new NetworkError('away'));
  const done = persist(world, run);

  for (const [index, pause] of [1000, 2000, 4000].entries()) {
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(pause - 1);
    expect(run).toHaveBeenCalledTimes(index + 1);
    if (index === 2) run.mockResolvedValue('done');
    clock.advance(1);
    await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(index + 2));
  }

  await expect(done).resolves.toBe('done');
  expect(clock.pending).toBe(0);
});

test('C7 a refusal ends it at once, a busy server does not', async () => {
  const { clock, world } = make();
  const refused = failing(new ParleyError('NotAllowed', 'no'));
  const busy = failing(new ParleyError('Unavailable', 'busy'));

  await expect(persist(world, refused)).rejects.toThrow('no');
  void persist(world, busy).catch(() => undefined);
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  expect(refused).toHaveBeenCalledOnce();
});

test('C7 a recovery ends the pause, and what is no longer wanted is given up', async () => {
  const { clock, events, world } = make();
  const run = failing(new NetworkError('away'));
  let isWanted = true;
  const done = persist(world, run, () => isWanted);
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  events.emit({ type: 'connection.recovered' });
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2));
  isWanted = false;
  events.emit({ type: 'connection.recovered' });

  await expect(done).rejects.toThrow('away');
  expect([run.mock.calls.length, clock.pending]).toEqual([2, 0]);
});

test('C7 a part that cannot be loaded is asked for until the user signs out, and then no more', async () => {
  const { clock, events } = make();
  let me: { id: string } | undefined = { id: 'ana' };
  const log = { warn: vi.fn(), error: vi.fn() };
  const environment = { clock, random: () => 1 };
  const core = { events, environment, log, me: { get: () => me } } as unknown as Core;
  const run = vi.fn(() => Promise.reject<void>(new NetworkError('A part of the client could not be loaded')));
  const done = askQuietly(core, 'Pins', run);
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  me = undefined;
  clock.advance(60_000);
  await done;

  expect(run).toHaveBeenCalledTimes(1);
  expect([clock.pending, log.warn.mock.calls]).toEqual([0, []]);
});
