import { whenIdle } from '../ui/when-idle.ts';
import { type Box, createBox } from './readables.ts';

/** `isReady` is true once the first screen is complete; everything that is not part of it is fetched only then. */
export type FirstScreen = { isReady: Box<boolean>; hold(): () => void; start(): () => void };

/** The wait in a product whose first screen has neither a list nor a conversation. */
const longestMs = 3000;
/** The wait after the list: a conversation may be asked for just after it has arrived. */
const calmMs = 50;

export const createFirstScreen = (): FirstScreen => {
  const isReady = createBox(false);
  let held = 0;
  let stop = () => {};
  const completeAfter = (ms: number) => {
    stop();
    const timer = setTimeout(() => {
      // The parts that have arrived are drawn first.
      stop = whenIdle(() => isReady.set(true));
    }, ms);
    stop = () => clearTimeout(timer);
  };
  return {
    isReady,
    hold: () => {
      held += 1;
      stop();
      return () => {
        held -= 1;
        if (held === 0) completeAfter(calmMs);
      };
    },
    start: () => {
      if (held === 0) completeAfter(longestMs);
      return () => stop();
    },
  };
};
