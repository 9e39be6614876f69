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

test('C7 a part that failed to load is not tried in a hidden tab, and at once when somebody comes back to it', async () => {
  const { state, run, onFailed } = network();
  keepTrying(run, onFailed);
  await vi.advanceTimersByTimeAsync(0);
  tab.hidden = true;
  page.dispatchEvent(new Event('visibilitychange'));
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.tries).toBe(1);

  state.isUp = true;
  tab.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);

  expect(state.tries).toBe(2);
});
