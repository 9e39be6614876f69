import type { EventOf } from '@parley/protocol';
import { times } from '@parley/protocol/limits';
import type { Core } from '../../core.ts';
import { after } from '../../environment.ts';
import type { Unsubscribe } from '../../readable.ts';

const startEvery = 2500;

type Own = { sentAt: number; stopTimer(): void };
const keyOf = (cid: string, parentId: string | undefined): string => `${cid} ${parentId ?? ''}`;

export const createTyping = (core: Core) => {
  const { clock } = core.environment;
  const own = new Map<string, Own>();
  const isOn = (cid: string): boolean => {
    const state = core.store.confirmed(cid);
    return state !== undefined && state.channel.config?.typing_events !== false;
  };
  const send = async (type: 'typing.start' | 'typing.stop', cid: string, parentId: string | undefined) => {
    const event = { type, ...(parentId ? { parent_id: parentId } : {}) };
    // Nobody waits for it, and the next one says the same.
    await core.http.call('POST /channels/{type}/{id}/event', { cid, body: { event } }).catch(() => {});
  };
  const stop = (cid: string, parentId?: string): void => {
    const typing = own.get(keyOf(cid, parentId));
    if (!typing) return;
    typing.stopTimer();
    own.delete(keyOf(cid, parentId));
    void send('typing.stop', cid, parentId);
  };
  return {
    /** Call it on each key: it sends at most every 2.5 s, and a stop after 7 s of silence. */
    keystroke: (cid: string, parentId?: string): void => {
      core.ownId();
      if (!isOn(cid)) return;
      const key = keyOf(cid, parentId);
      const known = own.get(key);
      known?.stopTimer();
      const isDue = !known || clock.now() - known.sentAt >= startEvery;
      const stopTimer = after(clock, times.typingTimeout, () => stop(cid, parentId));
      own.set(key, { sentAt: isDue ? clock.now() : known.sentAt, stopTimer });
      if (isDue) void send('typing.start', cid, parentId);
    },
    /** Ends the typing indicator of the own user. */
    stop,
    /** Ends the typing without an event: the user leaves, or the message itself ends it. */
    reset: (): void => {
      for (const typing of own.values()) typing.stopTimer();
      own.clear();
    },
  };
};

type TypingEvent = EventOf<'typing.start' | 'typing.stop'>;

/** A typer who fell silent without a stop is dropped after 7 s; returns its stop. */
export const expireTypers = (core: Core): Unsubscribe => {
  const timers = new Map<string, () => void>();
  const keyFor = ({ cid = '', user, parent_id }: TypingEvent) => `${user.id} ${keyOf(cid, parent_id)}`;
  const clear = (event: TypingEvent) => {
    timers.get(keyFor(event))?.();
    timers.delete(keyFor(event));
  };
  const onStart = (event: EventOf<'typing.start'>) => {
    clear(event);
    const expire = () => {
      timers.delete(keyFor(event));
      core.confirm({ ...event, type: 'typing.stop' });
    };
    timers.set(keyFor(event), after(core.environment.clock, times.typingTimeout, expire));
  };
  const stop = core.events.listen({ 'typing.start': onStart, 'typing.stop': clear });
  return () => {
    stop();
    for (const stopTimer of timers.values()) stopTimer();
    timers.clear();
  };
};
