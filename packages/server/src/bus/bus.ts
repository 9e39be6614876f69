/** What one process tells all: events on their way to sockets, and what caches must forget. Plain data only. */
export type Fact =
  /** An event for everyone who watches the channel; `seq` is its place in the log, where it has one. `userId` is whom it is
   * about, where that matters. */
  | { kind: 'channel'; cid: string; type: string; json: string; seq?: number; userId?: string }
  | { kind: 'users'; userIds: string[]; type: string; json: string }
  | { kind: 'presence'; userId: string; json: string }
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
