import type { ConnectionState, Readable } from '@parley/client';
import { type Box, createBox, isSame } from '../chat/readables.ts';
import type { ConnectionView } from '../ui/connection-banner.tsx';

type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;

/** A connection that opens within this time is not shown. */
const quietMs = 900;
const recoveredMs = 2500;

type Scene = { box: Box<ConnectionView>; wasLost: boolean };

const viewOf = (state: ConnectionState, wasLost: boolean, now: number): ConnectionView => {
  switch (state.status) {
    case 'offline':
      return { state: 'offline' };
    case 'waiting':
      return { state: 'reconnecting', seconds: Math.max(0, Math.ceil((state.retryAt - now) / 1000)) };
    case 'connecting':
      return wasLost ? { state: 'reconnecting', seconds: 0 } : { state: 'connecting' };
    case 'online':
      return { state: wasLost ? 'recovered' : 'online' };
    case 'disconnected':
      return { state: 'online' };
  }
};

/** The time until a view has to be computed again. */
const lookAgain = ({ state }: ConnectionView): number | undefined =>
  state === 'reconnecting' ? 1000 : state === 'recovered' ? recoveredMs : undefined;

/** The view of the connection for the banner, with its pauses and its countdown. */
export const bannerView = (
  connection: Readable<ConnectionState>,
  now: () => number = Date.now,
  timers: Timers = globalThis,
): Readable<ConnectionView> => {
  const scene: Scene = { box: createBox<ConnectionView>({ state: 'online' }), wasLost: false };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (view: ConnectionView) => {
    if (!isSame(view, scene.box.get())) scene.box.set(view);
  };
  const look = () => {
    timers.clearTimeout(timer);
    const state = connection.get();
    const view = viewOf(state, scene.wasLost, now());
    if (view.state === 'connecting') {
      timer = timers.setTimeout(() => show(viewOf(connection.get(), scene.wasLost, now())), quietMs);
      return;
    }
    show(view);
    scene.wasLost = view.state === 'offline' || view.state === 'reconnecting';
    const wait = lookAgain(view);
    if (wait !== undefined) timer = timers.setTimeout(look, wait);
  };
  return {
    get: scene.box.get,
    subscribe: (listener) => {
      const stops = [scene.box.subscribe(listener), connection.subscribe(look)];
      look();
      return () => {
        for (const stop of stops) stop();
        timers.clearTimeout(timer);
      };
    },
  };
};
