import { afterEach, expect, test, vi } from 'vitest';
import { whenReached } from './when-reached.ts';

type Entry = Pick<IntersectionObserverEntry, 'isIntersecting'>;
let deliver: (entries: Entry[]) => void;

afterEach(() => void vi.unstubAllGlobals());

const observe = () => {
  const onReach = vi.fn();
  const disconnect = vi.fn();
  const Observer = vi.fn(function (this: object, callback: typeof deliver) {
    deliver = callback;
    Object.assign(this, { observe: () => {}, disconnect });
  });
  vi.stubGlobal('IntersectionObserver', Observer);
  return { onReach, disconnect, stop: whenReached({} as Element, onReach) };
};
const entries = (...seen: boolean[]): Entry[] => seen.map((isIntersecting) => ({ isIntersecting }));

test.each([
  [[true], 1],
  [[false], 0],
  [[false, true], 1],
  [[true, false], 0],
])('M14 of several changes that the browser reports at once, the last one counts (%j)', (seen, calls) => {
  const { onReach, disconnect, stop } = observe();
  deliver(entries(...seen));
  stop();

  expect(onReach).toHaveBeenCalledTimes(calls);
  expect(disconnect).toHaveBeenCalledOnce();
});
