import type { ChannelStateReply } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { backoff } from '../backoff.ts';
import { after, type Clock } from '../environment.ts';
import type { Http } from '../http/http.ts';
import { type Gap, isOtherLog } from './gap.ts';
import type { Store } from './store.ts';

/** The state that the log does not hold: the own read state and capabilities, and the members as they are now. */
export type Unlogged = {
  take(reply: ChannelStateReply): void;
  ask(cid: string): Promise<void>;
  /** Makes the members of the channels known and followed again. */
  meet(cids: readonly string[], connectionId: string): Promise<void>;
};

export type RecoverOptions = { http: Http; store: Store; gap: Gap; unlogged: Unlogged; isEnabled: boolean };

const lastMessageAt = (store: Store, cid: string): string =>
  store.confirmed(cid)?.channel.last_message_at ?? '';

/** The active channels with the newest messages first: the most recent come back live, the rest when opened. */
const recoverable = (store: Store): { recent: string[]; rest: string[] } => {
  const cids = store.active
    .get()
    .toSorted((a, b) => lastMessageAt(store, b).localeCompare(lastMessageAt(store, a)));
  return { recent: cids.slice(0, limits.recoverChannels), rest: cids.slice(limits.recoverChannels) };
};

const queryRecent = async (http: Http, cids: string[], connectionId: string) => {
  const { channels } = await http.call('POST /channels', {
    connectionId,
    body: {
      filter: { cid: { $in: cids } },
      sort: [{ field: 'last_message_at', direction: -1 }],
      limit: limits.recoverChannels,
      watch: true,
      state: false,
    },
  });
  return new Map(channels.map((state) => [state.channel.cid, state]));
};

/** Updates the store from the log after a reconnect. `isCurrent` turns false when the connection was lost again. */
const recover = async (
  { http, store, gap, unlogged, isEnabled }: RecoverOptions,
  connectionId: string,
  isCurrent: () => boolean,
): Promise<void> => {
  const { recent, rest } = recoverable(store);
  for (const cid of isEnabled ? rest : [...recent, ...rest]) store.setStale(cid, true);
  if (!isEnabled || recent.length === 0) return;
  gap.suspend(recent);
  const found = await queryRecent(http, recent, connectionId);
  if (!isCurrent()) return;
  const behind: ChannelStateReply[] = [];
  for (const cid of recent) {
    const reply = found.get(cid);
    if (!reply) {
      store.remove(cid);
      continue;
    }
    store.setStale(cid, false);
    const slot = store.find(cid);
    // This also holds where the number is the same or lower: the log may be another, of a channel made anew or of a backup.
    if (slot?.seq !== reply.seq || isOtherLog(slot, reply)) behind.push(reply);
    else unlogged.take(reply);
  }
  await gap.catchUp(behind.map(({ channel }) => channel.cid));
  gap.resume();
  for (const reply of behind) {
    if (!isCurrent()) return;
    const { cid } = reply.channel;
    // If the log has gone on, the reply may be older than a change of the own rights.
    if (store.find(cid)?.seq === reply.seq) unlogged.take(reply);
    else if (store.confirmed(cid)) await unlogged.ask(cid);
  }
  if (isCurrent()) await unlogged.meet(recent, connectionId);
};

export type Recovery = { run(connectionId: string): Promise<void>; cancel(): void };

/** One recovery at a time; a new connection makes the one before it void. */
export const createRecovery = (
  options: RecoverOptions & {
    clock: Clock;
    random: () => number;
    onDone(): void;
    onFailed(error: unknown): void;
  },
): Recovery => {
  let turn = 0;
  let stopRetry = () => {};
  const cancel = () => {
    turn += 1;
    stopRetry();
  };
  const attempt = async (connectionId: string, mine: number, failures: number): Promise<void> => {
    const isCurrent = () => turn === mine;
    try {
      await recover(options, connectionId, isCurrent);
      if (isCurrent() && options.isEnabled) options.onDone();
    } catch (error) {
      if (!isCurrent()) return;
      options.onFailed(error);
      const again = () => void attempt(connectionId, mine, failures + 1);
      stopRetry = after(options.clock, backoff(failures + 1, options.random()), again);
    }
  };
  return {
    run: (connectionId) => {
      cancel();
      return attempt(connectionId, turn, 0);
    },
    cancel,
  };
};
