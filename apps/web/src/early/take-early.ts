import type { Screen } from '@parley/client/channels';
import type { Session } from '../session/session.ts';
import type { Begun, Early } from './start-early.ts';

/** The longest time that the app waits for a call that was made before it was there. */
const longestMs = 3000;

const within = <T>(ms: number, promise: Promise<T>): Promise<T | undefined> =>
  Promise.race([promise, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);

/** The parts of a session that were asked for before the app was there. */
export type Beginning = {
  /** The first screen; undefined where it has to be asked for. */
  screen: Screen | undefined;
  /** The token that was asked for early; it can be taken once. */
  takeToken(): Promise<string> | undefined;
};

/** The calls that were made for this user. They can be taken once: the next session, of whomever, asks anew. */
const takeBegun = (early: Early | undefined, session: Session): Begun | undefined => {
  const begun = early?.begun;
  if (early) early.begun = undefined;
  return session.kind !== 'anonymous' && begun?.userId === session.id ? begun : undefined;
};

/** Hands over the calls that were made before the app was there. One that failed counts as not made. */
export const takeEarly = async (early: Early | undefined, session: Session): Promise<Beginning> => {
  const begun = takeBegun(early, session);
  let token = begun?.token;
  return {
    screen: begun && (await within(longestMs, begun.screen).catch(() => undefined)),
    takeToken: () => {
      const taken = token;
      token = undefined;
      return taken;
    },
  };
};
