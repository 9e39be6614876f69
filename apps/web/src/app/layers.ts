import type { Layers } from '@parley/react/layers';
import type { RouterHistory } from '@tanstack/react-router';

/**
 * Back closes what is on top. What has an address (conversation, panel, thread, search, shelf) is an entry of its own, made by the
 * router. What has none (dialog, sheet, menu, popover, lightbox) is a layer: the kit reports it through `LayerProvider`, and it gets an
 * entry with the same address and the number of layers in its state. Three rules keep the entries and the screen the same:
 * 1. When layers open, entries are added at the end of the task, before anything is painted: whoever sees a layer may go back at once. A
 *    menu that opens a dialog has left its place by then, and costs nothing. When one closes by itself its entry stays, spare, for the next one: a step of our own would cancel a reload or a link that follows at once.
 * 2. When the user goes back, as many layers are closed; the router is not asked, as the address stays. Spare entries count for nothing:
 *    where no layer is open, Back goes on over them.
 * 3. When the app goes elsewhere, the entries of the layers are gone back over first, so that none is left under the new address.
 * `step` makes Back and Forward differ, and `under` is the address below, by which `leave` knows whether closing a panel is a step back.
 * While the browser is on its way, everything else waits.
 */
export type LayerHistory = {
  layers: Layers;
  /** True while something lies over the page. */
  isCovered: () => boolean;
  /** Goes one entry back if the address below fits, and then acts; otherwise it does the other thing. */
  leave: (fits: (under: string) => boolean, otherwise: () => void, then?: () => void) => void;
  /** Goes back to the entry by which the app was opened, and then acts: what is opened next takes the place of all after it. */
  toFirst: (then: () => void) => void;
  /** Listens for layers that open or close, and for every change of the address. */
  subscribe: (listener: () => void) => () => void;
};

/** The page, as far as it is needed here. */
export type HistoryPage = {
  history: Pick<History, 'state' | 'go'>;
  /** Adds an entry, or changes the current one, without the router. */
  write: (how: 'push' | 'replace', state: object) => void;
  onPop: (listener: (event: Pick<Event, 'stopImmediatePropagation'>) => void) => void;
  later: (act: () => void, ms: number) => void;
};

type Entry = { step: number; layers: number; under: string | undefined };

/** A browser that is asked to go where nothing is says nothing. */
const mostMs = 1000;

const read = (state: Partial<Entry> | null): Entry | undefined =>
  state?.step === undefined ? undefined : { step: state.step, layers: state.layers ?? 0, under: state.under };

const baseOf = ({ step, layers }: Entry): number => step - layers;

/** The entry at which the browser is, and its way to another one. */
const createSteps = (page: HistoryPage, onArrive: () => void) => {
  let way: { isQuiet: boolean; then: (() => void)[] } | undefined;
  const steps = {
    at: read(page.history.state) ?? { step: 0, layers: 0, under: undefined },
    isMoving: () => way !== undefined,
    back: (by: number, isQuiet: boolean, then: (() => void)[] = []) => {
      const mine = { isQuiet, then };
      way = mine;
      page.history.go(-by);
      page.later(() => way === mine && stay(), mostMs);
    },
    /** Acts at the entry of the address itself, not at that of a layer. */
    whenThere: (act: () => void) => {
      if (way !== undefined) way.then.push(act);
      else if (steps.at.layers > 0) steps.back(steps.at.layers, true, [act]);
      else act();
    },
    /** Notes where the browser has arrived; true if it was sent there. */
    arrived: (event: Pick<Event, 'stopImmediatePropagation'>): boolean => {
      // An entry that something else has made lies above this one.
      steps.at = read(page.history.state) ?? { step: steps.at.step + 1, layers: 0, under: undefined };
      if (way === undefined) return false;
      if (way.isQuiet) {
        event.stopImmediatePropagation();
        arrive();
      } else {
        // The router has to know the address before anything is done there.
        page.later(arrive, 0);
      }
      return true;
    },
  };
  /** The browser did not go: nothing lies below. From here on this entry is that of the address. */
  const stay = () => {
    steps.at = { ...steps.at, layers: 0 };
    page.write('replace', { ...page.history.state, ...steps.at });
    arrive();
  };
  const arrive = () => {
    const then = way?.then ?? [];
    way = undefined;
    for (const act of then) steps.whenThere(act);
    onArrive();
  };
  return steps;
};

type Steps = ReturnType<typeof createSteps>;

/** Every entry that the router makes gets its step, and none is made over a layer. */
const numberEntries = (router: RouterHistory, steps: Steps, onChange: () => void): void => {
  const { push, replace } = router;
  router.replace = (path, state, options) =>
    steps.whenThere(() => {
      replace(path, { ...state, ...steps.at }, options);
      onChange();
    });
  router.push = (path, state, options) => {
    if (path === router.location.href) return router.replace(path, state, options);
    steps.whenThere(() => {
      steps.at = { step: steps.at.step + 1, layers: 0, under: router.location.href };
      push(path, { ...state, ...steps.at }, options);
      onChange();
    });
  };
};

/** The ways back over entries that the router has made. */
const createMoves = (steps: Steps): Pick<LayerHistory, 'leave' | 'toFirst'> => ({
  leave: (fits, otherwise, then = () => {}) =>
    steps.whenThere(() => {
      if (steps.at.under !== undefined && fits(steps.at.under)) steps.back(1, false, [then]);
      else otherwise();
    }),
  toFirst: (then) =>
    steps.whenThere(() => {
      if (steps.at.step > 0) steps.back(steps.at.step, false, [then]);
      else then();
    }),
});

export function createLayerHistory(page: HistoryPage, router: RouterHistory): LayerHistory {
  const open: { close: () => void }[] = [];
  const listeners = new Set<() => void>();
  let isPlanned = false;
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    page.later(settle, 0);
  };
  const steps = createSteps(page, plan);
  const addEntries = () => {
    while (!steps.isMoving() && steps.at.layers < open.length) {
      steps.at = { ...steps.at, step: steps.at.step + 1, layers: steps.at.layers + 1 };
      page.write('push', { ...page.history.state, ...steps.at });
    }
  };
  const settle = () => {
    isPlanned = false;
    addEntries();
    for (const listener of listeners) listener();
  };
  const remove = (layer: (typeof open)[number]) => {
    const index = open.indexOf(layer);
    if (index >= 0) open.splice(index, 1);
    plan();
  };
  page.onPop((event) => {
    const before = steps.at;
    if (steps.arrived(event)) return;
    const isHere = baseOf(steps.at) === baseOf(before);
    if (isHere) event.stopImmediatePropagation();
    const left = isHere ? open.length - (before.step - steps.at.step) : 0;
    // One that does not close stays in the list, and gets an entry again.
    for (const layer of open.slice(Math.max(left, 0)).reverse()) layer.close();
    if (left < 0) steps.back(steps.at.layers - left, false);
    plan();
  });
  numberEntries(router, steps, plan);
  if (read(page.history.state) === undefined) page.write('replace', { ...page.history.state, ...steps.at });
  plan();
  return {
    layers: {
      open: (close) => {
        const layer = { close };
        open.push(layer);
        queueMicrotask(addEntries);
        plan();
        return () => remove(layer);
      },
    },
    isCovered: () => open.length > 0,
    ...createMoves(steps),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page of the browser. The router replaces the methods of `history` by its own: those of the prototype are left alone. */
export const browserPage = (page: Window & typeof globalThis): HistoryPage => ({
  history: page.history,
  write: (how, state) => page.History.prototype[`${how}State`].call(page.history, state, ''),
  // The listener runs before the router, which listens without capture.
  onPop: (listener) => page.addEventListener('popstate', listener, { capture: true }),
  later: (act, ms) => void page.setTimeout(act, ms),
});
