import type { Message, SharedLocation } from '@parley/protocol';
import type { ParleyClient } from '../../client.ts';
import { after, type Clock } from '../../environment.ts';
import type { Unsubscribe } from '../../readable.ts';
import { createOwnRecords, type OwnRecords } from '../../sync/own-records.ts';

/** Browsers take a longer wait for none at all. */
const longestTimer = 2_000_000_000;

export type Tracking = Pick<OwnRecords<SharedLocation>, 'all' | 'isLoaded' | 'load' | 'take'> & {
  /** Milliseconds by the clock of the server: a share ends by that one. */
  now(): number;
  drop(messageId: string): void;
  stop: Unsubscribe;
};

export const isLiveAt = ({ end_at }: Pick<SharedLocation, 'end_at'>, now: number): boolean =>
  end_at !== undefined && Date.parse(end_at) > now;

/** Drops each share at its end; returns its stop. */
const dropEnded = ({ all, drop, now }: Tracking, clock: Clock): Unsubscribe => {
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
  const stopListening = all.subscribe(plan);
  plan();
  return () => {
    stopListening();
    stopTimer?.();
  };
};

/** Drops what the log says is over; returns its stop. */
const followLog = (client: ParleyClient, { all, take, drop, now }: Tracking): Unsubscribe => {
  const isOwn = (userId: string | undefined): boolean => userId === client.me.get()?.id;
  const takeLive = (share: SharedLocation | undefined): void => {
    if (share && isOwn(share.user_id) && isLiveAt(share, now())) take(share);
  };
  const read = (message: Message): void => {
    if (!isOwn(message.user?.id)) return;
    const { shared_location: share } = message;
    if (share && isLiveAt(share, now())) take(share);
    else drop(message.id);
  };
  const dropIn = (cid: string | undefined): void => {
    for (const share of all.get().values()) if (share.cid === cid) drop(share.message_id);
  };
  const stops = [
    client.on('message.new', ({ message }) => read(message as Message)),
    client.on('message.updated', ({ message }) => read(message as Message)),
    client.on('message.deleted', ({ message }) => drop(message.id)),
    client.on('live_location_sharing.started', ({ shared_location }) => takeLive(shared_location)),
    client.on('live_location_sharing.updated', ({ shared_locations }) => {
      for (const share of shared_locations) takeLive(share);
    }),
    client.on('live_location_sharing.stopped', ({ shared_location }) => drop(shared_location.message_id)),
    client.on('notification.live_locations_updated', ({ active_live_locations: active }) => {
      const ids = new Set(active.map(({ message_id }) => message_id));
      for (const id of all.get().keys()) if (!ids.has(id)) drop(id);
      for (const share of active) takeLive(share);
    }),
    client.on('channel.truncated', ({ cid }) => dropIn(cid)),
    client.on('channel.deleted', ({ cid }) => dropIn(cid)),
    client.on('notification.removed_from_channel', ({ cid }) => dropIn(cid)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

/** What the own user shares live, on this and on other devices. */
export const createTracking = (client: ParleyClient, clock: Clock): Tracking => {
  let ahead = 0;
  const records = createOwnRecords<SharedLocation>({
    client,
    keyOf: ({ message_id }) => message_id,
    load: async () => {
      const { active_live_locations, now } = await client.http.call('GET /users/live_locations', {});
      ahead = Date.parse(now) - clock.now();
      return { records: active_live_locations };
    },
  });
  const tracking: Tracking = {
    ...records,
    now: () => clock.now() + ahead,
    drop: (messageId) => {
      const known = records.all.get().get(messageId);
      if (known) records.drop(messageId, known.updated_at);
    },
    stop: () => undefined,
  };
  const stops = [followLog(client, tracking), dropEnded(tracking, clock), records.stop];
  tracking.stop = () => {
    for (const stop of stops) stop();
  };
  return tracking;
};
