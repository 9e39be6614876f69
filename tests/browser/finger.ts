import type { Locator, Page } from '@playwright/test';

export type Point = { x: number; y: number };

/** One finger on the screen, as the browser gets it from the hardware. */
export const putFinger = async (page: Page) => {
  const hardware = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    hardware.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    /** All fingers that are on the screen. */
    down: (...at: Point[]) => send('touchStart', at),
    move: async (from: Point, to: Point) => {
      for (let step = 1; step <= 8; step += 1)
        await send('touchMove', [
          { x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 },
        ]);
    },
    up: () => send('touchEnd', []),
  };
};

export type Finger = Awaited<ReturnType<typeof putFinger>>;

export const middleOf = async (element: Locator): Promise<Point> => {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};
