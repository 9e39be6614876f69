import type { Message } from '@parley/protocol';
import type { ConfirmedChannel, LoadedThread } from '../../sync/state.ts';

type Carried = {
  /** Whether a message carries what changes. */
  isIt(message: Message): boolean;
  change<T extends Message>(message: T): T;
  /** Whether the change is of the reader's own data, which quotes do not carry. */
  isOwn?: boolean;
};

/** Changes the poll or location that messages carry, wherever they are shown. */
export const mapCarriers = (
  state: ConfirmedChannel,
  { isIt, change, isOwn = false }: Carried,
): ConfirmedChannel => {
  const quoteOf = ({ quoted_message: quoted }: Message) =>
    !isOwn && quoted && isIt(quoted) ? quoted : undefined;
  const one = <T extends Message>(message: T): T => {
    const next = isIt(message) ? change(message) : message;
    const quoted = quoteOf(message);
    return quoted ? { ...next, quoted_message: change(quoted) } : next;
  };
  const all = <T extends Message>(list: readonly T[]): readonly T[] =>
    list.some((message) => isIt(message) || quoteOf(message)) ? list.map(one) : list;
  const threads: Record<string, LoadedThread> = {};
  for (const [parentId, thread] of Object.entries(state.threads))
    threads[parentId] = { ...thread, messages: all(thread.messages) };
  const tail = state.tail && one(state.tail);
  return { ...state, messages: all(state.messages), pinned: all(state.pinned), threads, tail };
};
