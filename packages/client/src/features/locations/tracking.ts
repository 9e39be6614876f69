import type { Message, SharedLocation } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { after, type Clock } from '../../environment.ts';
import { createOwnRecords, type OwnRecords } from '../../sync/own-records.ts';
import { isLiveAt } from './selectors.ts';

/** Browsers take a longer wait for none at all. */
const longestTimer = 2_000_000_000;

export type Tracking = Pick<OwnRecords<SharedLocation>, 'all' | 'isLoaded' | 'reload' | 'take'> & {
  /** Milliseconds by the clock of the server: a share ends by that one. */
  now(): number;
  drop(messageId: string): void;
  dropAll(isGone: (share: SharedLocation) => boolean): void;
};

/** Drops each share at its end. */
const dropEnded = ({ all, drop, now }: Tracking, clock: Clock): void => {
  let stopTimer: (() => void) | undefined;
  const plan = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    const ends = [...all.get().values()].map(({ end_at = '' }) => Date.parse(end_at));
    if (ends.length > 0)
      stopTimer = after(clock, Math.min(longestTimer, Math.max(0, Math.min(...ends) - now())), look);
  };
  const look = (): void => {
    for (const [id, share] of all.get()) if (!isLiveAt(share, now())) drop(id);
    plan();
  };
  all.subscribe(plan);
};

/** Takes and drops shares by the events of the log. */
const followLog = ({ me, events }: Core, { take, drop, dropAll, now }: Tracking): void => {
  const isOwn = (userId: string | undefined): boolean => userId === me.get()?.id;
  const takeLive = (share: SharedLocation | undefined): void => {
    if (share && isOwn(share.user_id) && isLiveAt(share, now())) take(share);
  };
  const read = (message: Message): void => {
    if (!isOwn(message.user?.id)) return;
    const { shared_location: share } = message;
    if (share && isLiveAt(share, now())) take(share);
    else drop(message.id);
  };
  const dropIn = (cid: string | undefined): void => dropAll((share) => share.cid === cid);
  events.listen({
    'message.new': ({ message }) => read(message),
    'message.updated': ({ message }) => read(message),
    'message.deleted': ({ message }) => drop(message.id),
    'live_location_sharing.started': ({ shared_location }) => takeLive(shared_location),
    'live_location_sharing.updated': ({ shared_locations }) => {
      for (const share of shared_locations) takeLive(share);
    },
    'live_location_sharing.stopped': ({ shared_location }) => drop(shared_location.message_id),
    'notification.live_locations_updated': ({ active_live_locations: active }) => {
      const ids = new Set(active.map(({ message_id }) => message_id));
      dropAll(({ message_id }) => !ids.has(message_id));
      for (const share of active) takeLive(share);
    },
    'channel.truncated': ({ cid }) => dropIn(cid),
    'channel.deleted': ({ cid }) => dropIn(cid),
    'notification.removed_from_channel': ({ cid }) => dropIn(cid),
  });
};

/** The live locations of the own user, of this and of other devices. */
export const createTracking = (core: Core): Tracking => {
  const { clock } = core.environment;
  let ahead = 0;
  const records = createOwnRecords<SharedLocation>({
    core,
    keyOf: ({ message_id }) => message_id,
    load: async () => {
      const { active_live_locations, now } = await core.http.call('GET /users/live_locations', {});
      ahead = Date.parse(now) - clock.now();
      return { records: active_live_locations };
    },
  });
  const dropAll: Tracking['dropAll'] = (isGone) =>
    records.changeAll((share) => (isGone(share) ? undefined : share));
  const tracking: Tracking = {
    ...records,
    dropAll,
    now: () => clock.now() + ahead,
    drop: (messageId) => {
      const known = records.all.get().get(messageId);
      // One that a load is about to find must not come in with it.
      if (known) records.drop(messageId, known.updated_at);
      else dropAll(({ message_id }) => message_id === messageId);
    },
  };
  followLog(core, tracking);
  dropEnded(tracking, clock);
  return tracking;
};
