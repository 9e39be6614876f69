import { ParleyError } from '@parley/protocol/errors';
import { expect, test, vi } from 'vitest';
import { createHandClock } from '../../testing/hand-clock.ts';
import { createMover } from './mover.ts';
import type { Coordinates } from './position.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
const at = (latitude: number): Coordinates => ({ latitude, longitude: 0 });

/** A mover with one share, past its first three seconds. */
const setUp = (answer: (count: number) => unknown = () => undefined) => {
  const clock = createHandClock();
  const sent: number[] = [];
  const onRefused = vi.fn();
  const mover = createMover({
    clock,
    send: async (_id, { latitude }) => {
      sent.push(latitude);
      const failure = answer(sent.length);
      if (failure) throw failure;
    },
    onRefused,
  });
  mover.setTracked(['m']);
  clock.advance(3000);
  return { clock, sent, mover, onRefused };
};

test('P5 one update in three seconds, and always the newest place', async () => {
  const { clock, sent, mover } = setUp();

  for (const latitude of [1, 2, 3]) mover.move(at(latitude));
  await settle();
  expect(sent).toEqual([1]);
  clock.advance(2999);
  expect(sent).toEqual([1]);
  clock.advance(1);
  await settle();

  expect(sent).toEqual([1, 3]);
});

test('P5 the message of a new share carries its position: the first update waits its three seconds', async () => {
  const { clock, sent, mover } = setUp();
  mover.setTracked(['m', 'new']);
  mover.setTracked(['new']);

  mover.move(at(1));
  clock.advance(2999);
  await settle();
  expect(sent).toEqual([]);
  clock.advance(1);

  expect(sent).toEqual([1]);
});

test('P5 a device that stands still sends nothing', async () => {
  const { clock, sent, mover } = setUp();

  for (let step = 0; step < 4; step++) {
    mover.move(at(1));
    await settle();
    clock.advance(3000);
  }

  expect(sent).toEqual([1]);
});

test('P5 a position that did not arrive is sent again, unless a newer place is known', async () => {
  const { clock, sent, mover } = setUp((count) => (count < 3 ? new Error('offline') : undefined));

  mover.move(at(1));
  await settle();
  clock.advance(3000);
  await settle();
  mover.move(at(2));
  clock.advance(3000);
  await settle();
  clock.advance(9000);
  await settle();

  expect(sent).toEqual([1, 1, 2]);
});

test('P5 a share that the server refuses is given up, and nothing is sent for one that is dropped', async () => {
  const { clock, sent, mover, onRefused } = setUp(() => new ParleyError('InputInvalid'));
  mover.move(at(1));
  await settle();
  expect(onRefused).toHaveBeenCalledExactlyOnceWith('m');

  mover.move(at(2));
  mover.setTracked(['n']);
  mover.move(at(3));
  mover.setTracked([]);
  clock.advance(9000);
  await settle();

  expect(sent).toEqual([1]);
});
