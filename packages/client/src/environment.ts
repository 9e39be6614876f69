import type { DeviceStorage, Locks, PermissionSource, PositionSource } from './browser.ts';
import type { Unsubscribe } from './readable.ts';

export type Clock = {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type Signal = { subscribe(listener: () => void): Unsubscribe };

/** The part of a WebSocket that the client uses; the browser's, Node's and `ws` all fit. */
export type Socket = {
  readonly readyState: number;
  onopen: ((event: never) => unknown) | null;
  onmessage: ((event: never) => unknown) | null;
  onclose: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
};

/** Everything the client takes from the world around it. */
export type Environment = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Undefined where there is none: then long-polling carries the events. */
  WebSocket: (new (url: string) => Socket) | undefined;
  clock: Clock;
  random: () => number;
  online: Signal & { isOnline(): boolean };
  visibility: Signal & { isVisible(): boolean };
  uuid: () => string;
  /** Keeps what this device remembers between visits: drafts, its id, the last reminder shown. Default: `localStorage`. */
  storage?: DeviceStorage | undefined;
  /** Default: `navigator.geolocation`. */
  geolocation?: PositionSource | undefined;
  /** Default: `navigator.permissions`: a live location resumes when the permission is given back. */
  permissions?: PermissionSource | undefined;
  /** Default: `navigator.locks`: of several tabs one publishes where the device is. */
  locks?: Locks | undefined;
};

const listenTo = (target: EventTarget | undefined, types: string[]) => (listener: () => void) => {
  for (const type of types) target?.addEventListener(type, listener);
  return () => {
    for (const type of types) target?.removeEventListener(type, listener);
  };
};

const uuidFrom = (random: () => number): string =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16));

/** Read lazily, so that importing the client on a server touches no browser object. */
export const defaultEnvironment = (given: Partial<Environment> = {}): Environment => {
  const page = typeof document === 'undefined' ? undefined : document;
  const scope = typeof window === 'undefined' ? undefined : window;
  const random = given.random ?? Math.random;
  return {
    fetch: (url, init) => globalThis.fetch(url, init),
    WebSocket: globalThis.WebSocket,
    clock: {
      now: () => Date.now(),
      setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
      clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
    },
    random,
    online: {
      isOnline: () => scope === undefined || scope.navigator.onLine !== false,
      subscribe: listenTo(scope, ['online', 'offline']),
    },
    visibility: {
      isVisible: () => page?.visibilityState !== 'hidden',
      subscribe: listenTo(page, ['visibilitychange']),
    },
    // crypto.randomUUID is missing on pages without a secure context
    uuid: () => globalThis.crypto?.randomUUID?.() ?? uuidFrom(random),
    ...given,
  };
};

/** Starts a timer and returns its stop. */
export const after = (clock: Clock, ms: number, run: () => void): (() => void) => {
  const timer = clock.setTimeout(run, ms);
  return () => clock.clearTimeout(timer);
};
