import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepTrying } from './keep-trying.ts';

const page = new EventTarget();
const tab = { hidden: false };

beforeEach(() => {
  vi.useFakeTimers();
  tab.hidden = false;
  vi.stubGlobal('document', tab);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const network = () => {
  const state = { isUp: false, tries: 0, failures: 0 };
  const run = async () => {
    state.tries += 1;
    if (!state.isUp) throw new Error('offline');
  };
  const onFailed = () => {
    state.failures += 1;
  };
  return { state, run, onFailed };
};

test('C7 a part that failed to load is tried again after a growing pause, and no more once it is there', async () => {
  const { state, run, onFailed } = network();
  keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(3500);
  expect(state).toMatchObject({ tries: 3, failures: 3 });

  state.isUp = true;
  await vi.advanceTimersByTimeAsync(120_000);

  expect(state).toMatchObject({ tries: 4, failures: 3 });
});

test('C7 a part that failed to load for long is tried every five seconds', async () => {
  const { state, run, onFailed } = network();
  const { stop } = keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(60_000);
  const { tries } = state;
  await vi.advanceTimersByTimeAsync(15_000);
  stop();

  expect(state.tries).toBe(tries + 3);
});

test('C7 when one part loads, the others that failed are tried at once', async () => {
  const [first, second] = [network(), network()];
  const { now } = keepTrying(first.run, first.onFailed);
  keepTrying(second.run, second.onFailed);
  await vi.advanceTimersByTimeAsync(60_100);
  const { tries } = second.state;

  first.state.isUp = second.state.isUp = true;
  now();
  await vi.advanceTimersByTimeAsync(0);

  expect(second.state.tries).toBe(tries + 1);
});

test('C7 a part that failed to load is tried at once when the network is back', async () => {
  const { state, run, onFailed } = network();
  keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(60_000);
  const { tries } = state;

  state.isUp = true;
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);

  expect(state.tries).toBe(tries + 1);
});

test('C7 a part that is no longer shown is not tried again', async () => {
  const { state, run, onFailed } = network();
  const { stop } = keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(0);
  stop();

  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);

  expect(state.tries).toBe(1);
});

test('C7 in a hidden tab a part that failed to load is tried once a minute, and at once when somebody comes back', async () => {
  const { state, run, onFailed } = network();
  tab.hidden = true;
  const { stop } = keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(state.tries).toBe(1);
  await vi.advanceTimersByTimeAsync(61_500);
  expect(state.tries).toBe(3);

  tab.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state.tries).toBe(4);
  await vi.advanceTimersByTimeAsync(1000);
  stop();

  expect(state.tries).toBe(5);
});

test('C7 in a hidden tab a part that failed to load is tried at once when the network is back', async () => {
  const { state, run, onFailed } = network();
  tab.hidden = true;
  keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(0);

  state.isUp = true;
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);

  expect(state.tries).toBe(2);
});

test('C7 nothing is listened to for a part that is there or no longer shown', async () => {
  const [first, second] = [network(), network()];
  const added = vi.fn<typeof addEventListener>();
  vi.stubGlobal('addEventListener', added);
  const ends = () =>
    added.mock.calls.map(([, , options]) => typeof options === 'object' && options.signal?.aborted);
  first.state.isUp = true;
  keepTrying(first.run, first.onFailed);
  const { stop } = keepTrying(second.run, second.onFailed);
  await vi.advanceTimersByTimeAsync(0);
  expect(ends()).toEqual([true, true, false, false]);
  stop();

  expect(ends()).toEqual([true, true, true, true]);
});
