import { ParleyError } from '@parley/protocol/errors';
import { times } from '@parley/protocol/limits';
import { after, type Clock } from '../../environment.ts';
import type { Coordinates } from './position.ts';

type Track = {
  /** The newest place that is not on its way. */
  wanted: Coordinates | undefined;
  last: Coordinates | undefined;
  sentAt: number;
  isSending: boolean;
  stopTimer: (() => void) | undefined;
};

type Options = {
  clock: Clock;
  send(messageId: string, where: Coordinates): Promise<unknown>;
  /** The server takes no more of these. */
  onRefused(messageId: string): void;
};

const isSame = (a: Coordinates | undefined, b: Coordinates): boolean =>
  a?.latitude === b.latitude && a.longitude === b.longitude;

/** Sends where each share is: one update in three seconds, always the newest, and again what did not arrive. */
export const createMover = ({ clock, send, onRefused }: Options) => {
  const tracks = new Map<string, Track>();

  const forget = (messageId: string): void => {
    tracks.get(messageId)?.stopTimer?.();
    tracks.delete(messageId);
  };

  const pump = (messageId: string): void => {
    const track = tracks.get(messageId);
    if (!track?.wanted || track.isSending || track.stopTimer) return;
    const wait = track.sentAt + times.locationUpdate - clock.now();
    if (wait <= 0) return void deliver(messageId, track, track.wanted);
    track.stopTimer = after(clock, wait, () => {
      track.stopTimer = undefined;
      pump(messageId);
    });
  };

  const deliver = async (messageId: string, track: Track, where: Coordinates): Promise<void> => {
    track.wanted = undefined;
    track.isSending = true;
    track.sentAt = clock.now();
    try {
      await send(messageId, where);
    } catch (error) {
      if (error instanceof ParleyError && !error.retryable) {
        if (tracks.get(messageId) !== track) return;
        forget(messageId);
        onRefused(messageId);
        return;
      }
      track.wanted ??= where;
    }
    track.isSending = false;
    pump(messageId);
  };

  return {
    /** The shares that are moved from here; the message of a new share carries its first position. */
    setTracked: (messageIds: readonly string[]): void => {
      for (const known of [...tracks.keys()]) if (!messageIds.includes(known)) forget(known);
      for (const messageId of messageIds)
        if (!tracks.has(messageId))
          tracks.set(messageId, {
            ...{ wanted: undefined, last: undefined, isSending: false, stopTimer: undefined },
            sentAt: clock.now(),
          });
    },
    move: (where: Coordinates): void => {
      for (const [messageId, track] of tracks) {
        if (isSame(track.last, where)) continue;
        track.last = where;
        track.wanted = where;
        pump(messageId);
      }
    },
  };
};
