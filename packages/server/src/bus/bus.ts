/** An event for everyone who watches the channel; `seq` is its place in the log, where it has one. `userId` is the user it is
 * about, where that matters. */
type ChannelFact = {
  kind: 'channel';
  cid: string;
  type: string;
  json: string;
  seq?: number;
  userId?: string;
};
type PresenceFact = { kind: 'presence'; userId: string; json: string };

/** An event of a channel's log. */
export type StoredFact = ChannelFact & { seq: number };
/** An event that has no place in a log: a client that misses it does not get it from `/sync`. */
export type TransientFact = (ChannelFact & { seq?: never }) | PresenceFact;

/** Everything that goes over the bus: events on their way to sockets, and entries that caches must forget. Plain data only. */
export type Fact =
  | ChannelFact
  | PresenceFact
  | { kind: 'users'; userIds: string[]; type: string; json: string }
  | {
      kind: 'stale';
      what: 'user' | 'channel' | 'member' | 'channel-type' | 'app';
      key: string;
      userId?: string;
    };

export type Bus = {
  publish(fact: Fact): void;
  subscribe(listener: (fact: Fact) => void): () => void;
  ready(): Promise<boolean>;
};

/** Delivers at once and in order, so whoever wrote reads their own write. */
export const createLocalBus = (onError: (error: unknown) => void): Bus => {
  const listeners = new Set<(fact: Fact) => void>();
  return {
    publish(fact) {
      for (const listener of listeners) {
        try {
          listener(fact);
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
