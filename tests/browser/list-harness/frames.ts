/** Resolves when the frame that is being made has been painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    });
  });

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Acts once in each frame, and says how long each was. */
export const frameTimes = async (count: number, act: () => void): Promise<number[]> => {
  const times: number[] = [];
  let last = await nextFrame();
  for (let index = 0; index < count; index += 1) {
    act();
    const now = await nextFrame();
    times.push(now - last);
    last = now;
  }
  return times;
};

/** Looks at each frame as it is painted: after layout and after all other observers of sizes. */
export const watchPaint = (look: () => void): (() => void) => {
  const ticker = document.createElement('div');
  ticker.style.cssText = 'position:fixed;inset:0 auto auto 0;block-size:1px;visibility:hidden';
  document.body.append(ticker);
  let frame = 0;
  let request = 0;
  const tick = () => {
    ticker.style.inlineSize = `${1 + (frame++ % 2)}px`;
    request = requestAnimationFrame(tick);
  };
  // Observers are called in the order they were made: this one is the last.
  const observer = new ResizeObserver(look);
  observer.observe(ticker);
  tick();
  return () => {
    cancelAnimationFrame(request);
    observer.disconnect();
    ticker.remove();
  };
};
