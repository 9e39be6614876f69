import type { Readable } from '@parley/client';

const isAttentive = (): boolean =>
  typeof document === 'undefined' || (!document.hidden && document.hasFocus());

/** True while the page has the attention of the user: it is visible and has the focus. */
export const attention: Readable<boolean> = {
  get: isAttentive,
  subscribe: (listener) => {
    const events = ['focus', 'blur', 'visibilitychange'] as const;
    for (const event of events) addEventListener(event, listener, true);
    return () => {
      for (const event of events) removeEventListener(event, listener, true);
    };
  },
};
