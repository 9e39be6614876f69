/** An event for everyone who watches the channel; `seq` is its place in the log, where it has one. `userId` is the user it is
 * about, where that matters. */
type ChannelEvent = {
  kind: 'channel';
  cid: string;
  type: string;
  json: string;
  seq?: number;
  userId?: string;
};
type PresenceEvent = { kind: 'presence'; userId: string; json: string };

/** An event of a channel's log. */
export type StoredEvent = ChannelEvent & { seq: number };
/** An event that has no place in a log: a client that misses it does not get it from `/sync`. */
export type TransientEvent = (ChannelEvent & { seq?: never }) | PresenceEvent;

/** Everything that goes over the bus: events on their way to sockets, and entries that caches must forget. Plain data only. */
export type BusEvent =
  | ChannelEvent
  | PresenceEvent
  | { kind: 'users'; userIds: string[]; type: string; json: string }
  | StaleEvent;

/** `everything` is published where nobody knows any more what changed. */
type StaleEvent = {
  kind: 'stale';
  what: 'user' | 'channel' | 'member' | 'channel-type' | 'app' | 'everything';
  key: string;
  userId?: string;
};

/** Whether caches of this kind must forget an entry, or all of them. */
export const isStale = (event: BusEvent, what: StaleEvent['what']): event is StaleEvent =>
  event.kind === 'stale' && (event.what === what || event.what === 'everything');

export type Bus = {
  publish(event: BusEvent): void;
  subscribe(listener: (event: BusEvent) => void): () => void;
  ready(): Promise<boolean>;
};

/** Delivers at once and in order, so whoever wrote reads their own write. */
export const createLocalBus = (onError: (error: unknown) => void): Bus => {
  const listeners = new Set<(event: BusEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready: async () => true,
  };
};
