import type { EventOf, EventType, ServerEvent } from '@parley/protocol';
import type { Interned } from './intern.ts';
import type { ConfirmedChannel } from './state.ts';
import type { Store } from './store.ts';

export type Reducer<T extends EventType> = (
  state: ConfirmedChannel,
  event: Interned<EventOf<T>>,
) => ConfirmedChannel;
/** By event type. `all` of a channel's changes pass here; a type without a reducer changes nothing. */
export type Reducers = { readonly [T in EventType]?: Reducer<T> };

/** Applies an event to its channel; one without a cid to every channel, as when a user changed their name. */
export type Apply = (event: Interned<ServerEvent>) => void;

export const createApply = (store: Store, reducers: Reducers): Apply => {
  const reduceOne = (cid: string, event: Interned<ServerEvent>) => {
    const slot = store.find(cid);
    const reduce = reducers[event.type] as
      | ((state: ConfirmedChannel, event: Interned<ServerEvent>) => ConfirmedChannel)
      | undefined;
    if (!slot?.confirmed || !reduce) return;
    store.set(cid, reduce(slot.confirmed, event));
  };
  return (event) => {
    if (event.cid !== undefined) return reduceOne(event.cid, event);
    if (reducers[event.type]) for (const cid of store.active.get()) reduceOne(cid, event);
  };
};

/** Applies what a reply says of `seq`, unless the log has come as far: then it has said it, and perhaps more. */
export const createConfirm =
  (store: Store, take: (event: ServerEvent) => void) =>
  (event: ServerEvent, seq = Infinity): void => {
    if (seq > (store.find(event.cid ?? '')?.seq ?? 0)) take(event);
  };
