import type { EventOf, EventType, ServerEvent } from '@parley/protocol';
import type { ConnectionState } from './connection/driver.ts';
import type { TransportKind } from './connection/machine.ts';
import { callEach, stopAll, type Unsubscribe } from './readable.ts';

type LocalEvents = {
  'connection.changed': { type: 'connection.changed'; state: ConnectionState };
  'connection.recovered': { type: 'connection.recovered' };
  'transport.changed': { type: 'transport.changed'; transport: TransportKind };
};
export type LocalEvent = LocalEvents[keyof LocalEvents];
export type ClientEvent = ServerEvent | LocalEvent;
export type ClientEventType = EventType | keyof LocalEvents;
export type ClientEventOf<T extends ClientEventType | 'all'> = T extends keyof LocalEvents
  ? LocalEvents[T]
  : T extends EventType
    ? EventOf<T>
    : ClientEvent;

export type Events = {
  on<T extends ClientEventType | 'all'>(type: T, listener: (event: ClientEventOf<T>) => void): Unsubscribe;
  /** Several at once, with one stop for all. */
  listen(listeners: { [T in ClientEventType]?: (event: ClientEventOf<T>) => void }): Unsubscribe;
  emit(event: ClientEvent): void;
};

/** A listener of any type: the map below holds each under the type of its events. */
type Listener = (event: never) => void;

/** `failed` gets the errors of listeners: one bad listener must not stop the stream. */
export const createEvents = (failed: (error: unknown) => void): Events => {
  const byType = new Map<string, Set<Listener>>();
  const add = (type: string, listener: Listener): Unsubscribe => {
    const listeners = byType.get(type) ?? new Set();
    byType.set(type, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && byType.get(type) === listeners) byType.delete(type);
    };
  };
  return {
    on: (type, listener) => add(type, listener),
    listen: (given) => stopAll(Object.entries(given).map(([type, listener]) => add(type, listener))),
    emit: (event) => {
      if (byType.size === 0) return;
      for (const type of [event.type, 'all']) callEach(byType.get(type) ?? [], failed, event as never);
    },
  };
};
