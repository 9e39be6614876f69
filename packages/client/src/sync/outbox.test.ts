import { ParleyError } from '@parley/protocol/errors';
import { expect, test, vi } from 'vitest';
import { NetworkError } from '../http/network-error.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { aMessage } from '../testing/records.ts';
import { createOutbox, type OutboxEntry } from './outbox.ts';

const cid = 'messaging:general';
const entry = (id: string): OutboxEntry => ({
  cid,
  id,
  input: { text: id },
  createdAt: '',
  status: 'sending',
});
const make = (deliver: (entry: OutboxEntry) => Promise<void>) => {
  const clock = createHandClock();
  const tried: string[] = [];
  const [onChange, onSent, onGone] = [vi.fn(), vi.fn(), vi.fn()];
  const outbox = createOutbox({
    deliver: async (waiting) => {
      tried.push(waiting.id);
      await deliver(waiting);
      return aMessage(waiting.id);
    },
    ...{ onChange, onSent, onGone, clock, random: () => 1 },
  });
  return { outbox, clock, tried, onChange, onGone, onSent };
};

test('M4 a network failure keeps the order: the first is tried again before the second is tried', async () => {
  let isDown = true;
  const { outbox, clock, tried } = make(async () => {
    if (isDown) throw new NetworkError('down');
  });
  const sent = [outbox.add(entry('a')), outbox.add(entry('b'))];
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  isDown = false;
  clock.advance(1000);
  await Promise.all(sent);

  expect(tried).toEqual(['a', 'a', 'b']);
});

test('M4 a refused message does not stop the next', async () => {
  const { outbox, tried } = make(async ({ id }) => {
    if (id === 'a') throw new ParleyError('MessageBlocked');
  });

  const [refused, sent] = [outbox.add(entry('a')), outbox.add(entry('b'))];

  await expect(refused).rejects.toMatchObject({ name: 'MessageBlocked' });
  expect((await sent).id).toBe('b');
  expect(tried).toEqual(['a', 'b']);
  expect(outbox.find(cid, 'a')?.status).toBe('failed');
});

test('M4 a discarded message is gone, also when its answer still comes', async () => {
  let answer = () => {};
  const { outbox, onGone } = make(() => new Promise((resolve) => (answer = resolve)));
  const sent = outbox.add(entry('a'));

  outbox.discard(cid, 'a');
  answer();

  await expect(sent).rejects.toThrow('discarded');
  expect(onGone).toHaveBeenCalledOnce();
});

test('C5 a paused outbox leaves no timer and goes on when resumed', async () => {
  let isDown = true;
  const { outbox, clock } = make(async () => {
    if (isDown) throw new NetworkError('down');
  });
  const sent = outbox.add(entry('a'));
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  outbox.setPaused(true);
  expect(clock.pending).toBe(0);
  isDown = false;
  outbox.setPaused(false);

  expect((await sent).id).toBe('a');
});

test('C5 an attempt that was on its way when the network came back is repeated at once if it fails', async () => {
  let fail = () => {};
  let isFirst = true;
  const { outbox, clock, tried } = make(() => {
    if (!isFirst) return Promise.resolve();
    isFirst = false;
    return new Promise((_, reject) => (fail = () => reject(new NetworkError('down'))));
  });
  const sent = outbox.add(entry('a'));

  outbox.flush();
  fail();

  expect((await sent).id).toBe('a');
  expect(tried).toEqual(['a', 'a']);
  expect(clock.pending).toBe(0);
});

test('M4 a message that was stored is sent for its caller and its lane, even if showing it fails', async () => {
  const { outbox, onSent, tried } = make(async () => {});
  onSent.mockImplementationOnce(() => {
    throw new Error('a reducer failed');
  });

  const [first, second] = [outbox.add(entry('a')), outbox.add(entry('b'))];

  expect((await first).id).toBe('a');
  expect((await second).id).toBe('b');
  expect(tried).toEqual(['a', 'b']);
});

test('A2 a message that waits for its files holds those after it, and goes first', async () => {
  let give = (_: object) => {};
  const rest = () => new Promise<object>((resolve) => (give = resolve));
  const { outbox, tried } = make(async () => {});
  const sent = [outbox.add({ ...entry('a'), rest }), outbox.add(entry('b'))];
  await null;
  expect(tried).toEqual([]);

  give({ attachments: [{ type: 'file' }] });
  await Promise.all(sent);

  expect(tried).toEqual(['a', 'b']);
});

test('A2 a message that is discarded while it waits for its files does not hold the next', async () => {
  const { outbox, tried } = make(async () => {});
  const [gone, sent] = [
    outbox.add({ ...entry('a'), rest: () => new Promise(() => {}) }),
    outbox.add(entry('b')),
  ];
  gone.catch(() => {});

  outbox.discard(cid, 'a');
  await sent;

  expect(tried).toEqual(['b']);
});

test('M4 only a message that the server cannot have counts as unsent, and is changed where it waits', async () => {
  const { outbox, clock } = make(async ({ id }) => {
    if (id === 'a') throw new NetworkError('down');
  });
  void outbox.add(entry('a'));
  void outbox.add(entry('b'));
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  expect(outbox.findUnsent(cid, 'a')).toBeUndefined();
  const waiting = outbox.findUnsent(cid, 'b');
  if (waiting) outbox.change(waiting, { text: 'changed' });
  expect(outbox.find(cid, 'b')?.input.text).toBe('changed');
});

test('M4 each message is reported as tried before its call, and once when it is sent at once', async () => {
  const seen: unknown[] = [];
  const { outbox, onChange } = make(async ({ id }) => void seen.push(`${id} sent`));
  onChange.mockImplementation(({ id, isTried }: OutboxEntry) => seen.push(`${id} ${isTried}`));

  await Promise.all([outbox.add(entry('a')), outbox.add(entry('b'))]);

  expect(seen).toEqual(['a true', 'a sent', 'b undefined', 'b true', 'b sent']);
});
