import type { CDPSession, Page } from '@playwright/test';

type TraceEvent = { name?: string; ph?: string; pid?: number; tid?: number; ts?: number; tdur?: number };
type Task = { at: number; ms: number };
type Frame = { startTime: number; duration: number };

declare global {
  interface Window {
    longFrames?: Frame[];
  }
}

const mark = 'frame-times';
const categories = 'toplevel,blink.user_timing';

/** Notes the frames of a page that took more than 50 ms by the clock on the wall. Belongs before the page's own scripts. */
export const watchFrames = (): void => {
  const frames: Frame[] = [];
  window.longFrames = frames;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) frames.push({ startTime, duration });
  }).observe({ type: 'long-animation-frame' });
};

const trace = async (cdp: CDPSession, act: () => Promise<void>): Promise<TraceEvent[]> => {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: object[] }) => void events.push(...value);
  cdp.on('Tracing.dataCollected', take);
  await cdp.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  try {
    await act();
  } finally {
    const isComplete = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()));
    await cdp.send('Tracing.end');
    await isComplete;
    cdp.off('Tracing.dataCollected', take);
  }
  return events;
};

/** Waits until the page has drawn the last step and what follows from it. Returns the page's time at the mark, and its long frames. */
const settle = (page: Page): Promise<{ markedAt: number; frames: Frame[] }> =>
  page.evaluate(async (name) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { startTime } = performance.mark(name);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    return { markedAt: startTime, frames: window.longFrames?.splice(0) ?? [] };
  }, mark);

/** The tasks of the page's own thread, by the page's clock. */
const tasksOf = (events: readonly TraceEvent[], markedAt: number): Task[] => {
  const own = events.find(({ name }) => name === mark);
  if (own?.ts === undefined) throw new Error('The browser did not trace the page');
  const offset = own.ts / 1000 - markedAt;
  return events
    .filter(
      ({ name, ph, pid, tid }) =>
        ph === 'X' && name?.endsWith('RunTask') && pid === own.pid && tid === own.tid,
    )
    .map(({ ts = 0, tdur = 0 }) => ({ at: ts / 1000 - offset, ms: tdur / 1000 }));
};

/**
 * The longest frame during a step, in milliseconds of processor time of the page's thread: other processes on the same core do not
 * stretch it, as they do the time between two frames. A frame is all its tasks together, or its longest one where the browser saw no
 * long frame.
 */
export const longestFrame = async (
  page: Page,
  cdp: CDPSession,
  act: () => Promise<unknown>,
): Promise<number> => {
  let settled = { markedAt: 0, frames: [] as Frame[] };
  await page.evaluate(() => window.longFrames?.splice(0));
  const events = await trace(cdp, async () => {
    await act();
    settled = await settle(page);
  });
  const tasks = tasksOf(events, settled.markedAt);
  const inFrame = ({ startTime, duration }: Frame) =>
    tasks
      .filter(({ at }) => at >= startTime - 1 && at < startTime + duration)
      .reduce((sum, { ms }) => sum + ms, 0);
  return Math.max(0, ...tasks.map(({ ms }) => ms), ...settled.frames.map(inFrame));
};
