import type { Core } from './core.ts';
import { persist, worldOf } from './retry.ts';

export type Question = {
  /** Asks at once. An answer that is on its way is not taken. */
  begin(): void;
  /** Asks, or where an answer is on its way, once more after it: that one may be from before. */
  again(): void;
  /** Takes no answer any more. */
  cancel(): void;
};

/** A question that many events lead to, such as one for each of the channels that somebody is added to at once. What the network lost is
 * asked for again; a refusal ends it. */
export const createQuestion = <T>(
  core: Core,
  ask: () => Promise<T>,
  take: (answer: T) => void = () => undefined,
): Question => {
  let current: { isAgain: boolean } | undefined;
  const begin = (): void => {
    const own = { isAgain: false };
    current = own;
    const end = (): boolean => {
      if (own !== current) return false;
      current = undefined;
      return true;
    };
    const settle = (answer: T): void => {
      if (!end()) return;
      take(answer);
      if (own.isAgain) begin();
    };
    void persist(worldOf(core), ask, () => own === current).then(settle, end);
  };
  return {
    begin,
    again: () => {
      if (current) current.isAgain = true;
      else begin();
    },
    cancel: () => {
      current = undefined;
    },
  };
};
