import type { ReplyOf } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { createCell } from '../../readable.ts';
import { createMissed } from '../../sync/missed.ts';
import { leaving } from '../channels/load.ts';

/** Where the own user stands in a thread. Of two states the one of the later version counts, then that of the later reply. */
export type ThreadMark = { cid: string; unread: number; version: number; last: number };
export type ThreadMarks = ReadonlyMap<string, ThreadMark>;

export type MarkPlace = { version?: number | undefined; last_number?: number | undefined };

/** Whether what is said of a thread is older than what is known of it. A server of before says no version: it counts as it comes. */
export const isOlderMark = (known: { version: number; last: number }, said: MarkPlace): boolean =>
  said.version !== undefined &&
  (said.version < known.version || (said.version === known.version && (said.last_number ?? 0) < known.last));

type Said = MarkPlace & { thread_id?: string | undefined; unread_messages?: number | undefined };

const afterSaid =
  (cid: string, id: string, said: Said) =>
  (marks: ThreadMarks): ThreadMarks => {
    const known = marks.get(id);
    if (known && isOlderMark(known, said)) return marks;
    const {
      version = known?.version ?? 0,
      last_number: last = known?.last ?? 0,
      unread_messages: unread = 0,
    } = said;
    return new Map(marks).set(id, { cid, unread, version, last });
  };

const afterLeaving =
  (cid: string) =>
  (marks: ThreadMarks): ThreadMarks =>
    new Map([...marks].filter(([, mark]) => mark.cid !== cid));

type Unread = ReplyOf<'GET /unread'>;

/** The threads of an answer; one that it leaves out has nothing unread, and keeps its version. */
const fromReply = ({ threads }: Unread, known: ThreadMarks): ThreadMarks => {
  const marks = new Map([...known].map(([id, mark]) => [id, { ...mark, unread: 0 }]));
  for (const {
    parent_message_id: id,
    cid,
    unread_count: unread,
    version = 0,
    last_number: last = 0,
  } of threads)
    marks.set(id, { cid, unread, version, last });
  return marks;
};

/** The threads with unread replies, loaded or not. `ask` gets them from the server. */
export const createThreadMarks = (core: Core, ask: () => void) => {
  const marks = createCell<ThreadMarks | undefined>(undefined, core.batch);
  const missed = createMissed<ThreadMarks>();
  /** Channels that were left, and as which of all: an event or an answer from before may still come, and only the server knows whether
   * the channel is open to all. */
  const left = new Map<string, number>();
  let leavings = 0;
  const change = (next: (marks: ThreadMarks) => ThreadMarks): void => {
    missed.note(next);
    const known = marks.get();
    if (known) marks.set(next(known));
  };
  const take = (said: Said & { cid?: string | undefined }): void => {
    const { thread_id: id, cid } = said;
    if (id === undefined) return;
    const place = cid ?? marks.get()?.get(id)?.cid ?? '';
    // Leaving says of each thread that nothing is unread.
    if (left.has(place) && said.unread_messages) ask();
    else change(afterSaid(place, id, said));
  };
  /** Threads may have gone with their messages: only the server knows which. */
  const cleared = ({ cid }: { cid?: string }): void =>
    change((known) => {
      if ([...known.values()].some((mark) => mark.cid === cid && mark.unread)) ask();
      return known;
    });
  core.events.listen(
    leaving((cid) => {
      left.set(cid, ++leavings);
      change(afterLeaving(cid));
      ask();
    }),
  );
  core.events.listen({
    'notification.thread_message_new': take,
    'notification.mark_read': take,
    // Threads from an earlier membership count again.
    'notification.added_to_channel': ask,
    'channel.truncated': cleared,
    'notification.channel_truncated': cleared,
    'channel.hidden': cleared,
  });
  core.resets.push(() => {
    left.clear();
    marks.set(undefined);
  });
  return {
    marks,
    /** Makes a call for all that is unread, and gives what takes its answer. */
    during: async (run: () => Promise<Unread>) => {
      const before = leavings;
      const { reply, catchUp } = await missed.during(run);
      const load = () => {
        for (const { cid } of reply.threads) if ((left.get(cid) ?? 0) <= before) left.delete(cid);
        marks.set(catchUp(fromReply(reply, marks.get() ?? new Map())));
      };
      return { reply, load };
    },
  };
};
