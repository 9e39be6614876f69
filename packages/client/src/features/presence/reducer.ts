import type { EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';

type WatchingEvent = EventOf<'user.watching.start' | 'user.watching.stop'>;

const watching = (
  state: ConfirmedChannel,
  { type, user, watcher_count }: WatchingEvent,
): ConfirmedChannel => {
  const others = state.watchers.filter(({ id }) => id !== user.id);
  return {
    ...state,
    watcherCount: watcher_count,
    watchers: type === 'user.watching.start' ? [...others, user] : others,
  };
};

export const presenceReducers = {
  'user.watching.start': watching,
  'user.watching.stop': watching,
} satisfies Reducers;
