import { times } from '@parley/protocol';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { type Again, createCoalescer, restOf, type Touched } from '../../work/coalescer.ts';
import type { UserCache } from '../users/cache.ts';
import type { PollReader } from './reader.ts';
import { toVote, type VoteRow } from './record.ts';
import { lockChannels, lockPolls, takeUnpublished } from './store.ts';

export type VoteEventType = 'poll.vote_casted' | 'poll.vote_changed' | 'poll.vote_removed';
/** The newest vote of a poll. */
export type LastVote = { type: VoteEventType; vote: VoteRow };

type Deps = { kernel: Kernel; reader: PollReader; users: UserCache };
type Change = { cid: string; last: LastVote | undefined };
type Due = Touched<Change>;

const mostAtOnce = 50;
/** At most so many connections wait for channels that others hold. */
const mostWaiting = 3;

const cidOf = ({ value }: Due): string => value.cid;

/** `held`: another transaction holds their channels, and this one did not wait. `early`: another server published them just now. */
type Unpublished = { held: Due[]; early: Exclude<Again, string>[] };

/** Writes one event for each poll, with its state at this moment. A poll without a mark in `poll_untold` was published already. */
const publishDue = async (
  { reader, users }: Deps,
  tx: Tx,
  all: Due[],
  waits: boolean,
): Promise<Unpublished> => {
  const locked = await lockChannels(tx.db, all.map(cidOf), waits);
  const due = all.filter((one) => locked.has(cidOf(one)));
  const rows = await lockPolls(
    tx.db,
    due.map(({ key }) => key),
  );
  const early = rows.flatMap(({ id, published_at }) => {
    const afterMs = restOf(published_at, tx.now, times.pollUpdate);
    return afterMs === undefined ? [] : [{ key: id, afterMs }];
  });
  const ids = due.map(({ key }) => key).filter((id) => !early.some(({ key }) => key === id));
  const unpublished = await takeUnpublished(tx.db, ids, tx.now);
  const marked = rows.filter(({ id }) => unpublished.has(id));
  const { polls } = await reader.read(tx.db, marked);
  const voters = due.flatMap(({ value }) => value.last?.vote.user_id ?? []);
  const people = await users.getMany(tx.db, voters);
  for (const row of marked) {
    const change = due.find(({ key }) => key === row.id)?.value;
    if (!change) continue;
    const { cid, last } = change;
    const vote = last && { vote: toVote(last.vote, row, people) };
    await tx.event({
      cid,
      type: last?.type ?? 'poll.updated',
      fields: { poll: polls.get(row.id), ...vote },
    });
  }
  return { held: all.filter((one) => !locked.has(cidOf(one))), early };
};

/** Publishes for many channels in one transaction. Each channel that is held gets a transaction that waits for it, so that it
 * delays only itself; its polls are tried again until one of the two has published them. */
const createWriter = (deps: Deps) => {
  const { kernel } = deps;
  const waiting = new Map<string, Promise<void>>();
  const wait = (cid: string, due: Due[]): void => {
    if (waiting.has(cid) || waiting.size >= mostWaiting) return;
    const run = kernel
      .write((tx) => publishDue(deps, tx, due, true))
      .catch((error: unknown) => kernel.log.error({ err: error }, 'a held channel got no poll events'))
      .then(() => void waiting.delete(cid));
    waiting.set(cid, run);
  };
  return {
    publish: async (due: Due[]): Promise<Again[]> => {
      const free = due.filter((one) => !waiting.has(cidOf(one)));
      const postponed = due.filter((one) => waiting.has(cidOf(one)));
      const { held, early }: Unpublished =
        free.length > 0
          ? await kernel.write((tx) => publishDue(deps, tx, free, false))
          : { held: [], early: [] };
      for (const [cid, polls] of Map.groupBy(held, cidOf)) wait(cid, polls);
      return [...[...postponed, ...held].map(({ key }) => key), ...early];
    },
    stop: () => Promise.all(waiting.values()),
  };
};

export type PollPublisher = ReturnType<typeof createPollPublisher>;

/** Publishes votes at once, and then at most every 200 ms all that came meanwhile, at whichever server. */
export const createPollPublisher = (deps: Deps) => {
  const writer = createWriter(deps);
  const coalescer = createCoalescer<Change>(deps.kernel, {
    name: 'polls',
    everyMs: times.pollUpdate,
    mostAtOnce,
    merge: (older, newer) => ({ ...newer, last: newer.last ?? older.last }),
    flush: writer.publish,
  });
  return {
    /** A vote was stored, and its poll marked in `poll_untold` by the same transaction. */
    touch: (id: string, cid: string, last?: LastVote): void => coalescer.touch(id, { cid, last }),
    stop: async (): Promise<void> => {
      await coalescer.stop();
      await writer.stop();
    },
  };
};
