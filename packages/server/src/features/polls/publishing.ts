import { times } from '@parley/protocol';
import type { Kernel, Tx } from '../../kernel.ts';
import type { UserCache } from '../users/cache.ts';
import type { PollReader } from './reader.ts';
import { toVote, type VoteRow } from './record.ts';
import { lockChannels, lockPolls, takeUnpublished } from './store.ts';

export type VoteEventType = 'poll.vote_casted' | 'poll.vote_changed' | 'poll.vote_removed';
/** The last that happened to a poll. */
export type LastVote = { type: VoteEventType; vote: VoteRow };

type Deps = { kernel: Kernel; reader: PollReader; users: UserCache };
type Entry = { cid: string; last: LastVote | undefined; isWaiting: boolean };
type Due = { id: string; cid: string; last: LastVote | undefined };

const mostAtOnce = 50;

/** One event for each poll, with its state at this moment. Without a mark in `poll_untold` all was told already.
 * Returns those whose channel another transaction holds, where it does not wait for them. */
const tellDue = async ({ reader, users }: Deps, tx: Tx, all: Due[], waits: boolean): Promise<Due[]> => {
  const locked = await lockChannels(
    tx.db,
    all.map(({ cid }) => cid),
    waits,
  );
  const due = all.filter(({ cid }) => locked.has(cid));
  const ids = due.map(({ id }) => id);
  const rows = await lockPolls(tx.db, ids);
  const untold = await takeUnpublished(tx.db, ids);
  const told = rows.filter(({ id }) => untold.has(id));
  const { polls } = await reader.read(tx.db, told);
  const people = await users.getMany(
    tx.db,
    due.flatMap(({ last }) => last?.vote.user_id ?? []),
  );
  for (const row of told) {
    const one = due.find(({ id }) => id === row.id);
    if (!one) continue;
    const { cid, last } = one;
    const vote = last && { vote: toVote(last.vote, row, people) };
    await tx.event({
      cid,
      type: last?.type ?? 'poll.updated',
      fields: { poll: polls.get(row.id), ...vote },
    });
  }
  return all.filter(({ cid }) => !locked.has(cid));
};

/** At most so many connections wait for channels that others hold. */
const mostWaiting = 3;

/** Publishes for many channels in one transaction, and for each that is held in a transaction of its own, which nobody else waits for. */
const createWriter = (deps: Deps) => {
  const { kernel } = deps;
  const waiting = new Map<string, Promise<void>>();
  const write = (due: Due[], waits: boolean): Promise<Due[]> =>
    kernel
      .write((tx) => tellDue(deps, tx, due, waits))
      .catch((error: unknown) => {
        // The marks stay: the keeper comes back to them.
        kernel.log.error({ err: error }, 'telling of polls failed');
        return [];
      });
  const wait = (cid: string, due: Due[]): void => {
    if (waiting.has(cid) || waiting.size >= mostWaiting) return;
    const run = write(due, true).then(() => void waiting.delete(cid));
    waiting.set(cid, run);
  };
  return {
    publish: async (due: Due[]): Promise<void> => {
      // What is waited for already takes the newest state with it; what finds no place keeps its mark for the keeper.
      const held = await write(
        due.filter(({ cid }) => !waiting.has(cid)),
        false,
      );
      for (const { cid } of held)
        wait(
          cid,
          held.filter((one) => one.cid === cid),
        );
    },
    stop: () => Promise.all(waiting.values()),
  };
};

export type PollPublisher = ReturnType<typeof createPollPublisher>;

/** Tells of votes at once, and then at most every 200 ms of all that came meanwhile: the last state is always told.
 * What falls due while a transaction is under way shares the next one. */
export const createPollPublisher = (deps: Deps) => {
  const { kernel } = deps;
  const writer = createWriter(deps);
  const entries = new Map<string, Entry>();
  const timers = new Map<string, { stop(): void }>();
  let queue: string[] = [];
  let running: Promise<void> | undefined;
  let isStopped = false;

  const take = (): Due[] => {
    const ids = queue.slice(0, mostAtOnce);
    queue = queue.slice(mostAtOnce);
    return ids.flatMap((id) => {
      const entry = entries.get(id);
      if (!entry) return [];
      const { cid, last } = entry;
      entry.isWaiting = false;
      entry.last = undefined;
      return [{ id, cid, last }];
    });
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0 && !isStopped) {
      const due = take();
      await writer.publish(due);
      for (const { id } of due)
        timers.set(
          id,
          kernel.clock.setTimeout(() => again(id), times.pollTelling),
        );
    }
    running = undefined;
  };

  const enqueue = (id: string): void => {
    queue.push(id);
    running ??= pump();
  };

  const again = (id: string): void => {
    timers.delete(id);
    if (entries.get(id)?.isWaiting) enqueue(id);
    else entries.delete(id);
  };

  return {
    /** Something was voted, and marked in `poll_untold` by the transaction that stored it. */
    touch(id: string, cid: string, last?: LastVote): void {
      const entry = entries.get(id);
      if (entry) {
        entry.isWaiting = true;
        entry.last = last ?? entry.last;
        return;
      }
      entries.set(id, { cid, last, isWaiting: true });
      enqueue(id);
    },
    async stop(): Promise<void> {
      isStopped = true;
      for (const timer of timers.values()) timer.stop();
      await running;
      await writer.stop();
    },
  };
};
