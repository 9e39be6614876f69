import type { PollVote } from '@parley/client/polls';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePolls } from './use-polls.ts';

export type VoteList = {
  votes: readonly PollVote[];
  status: 'loading' | 'ready' | 'failed';
  hasMore: boolean;
  loadMore: () => void;
};

/** The votes of an option; without one, the comments. */
type Source = { pollId: string; optionId?: string | undefined; version: number };

/** Votes page by page, newest first; read again when `version` changes. */
export function useVotes({ pollId, optionId, version }: Source): VoteList {
  const polls = usePolls();
  const [list, setList] = useState<Omit<VoteList, 'loadMore' | 'hasMore'>>({ votes: [], status: 'loading' });
  const next = useRef<string>(undefined);
  const turn = useRef(0);
  const load = useCallback(
    async (isFirst: boolean) => {
      turn.current += 1;
      const own = turn.current;
      const cursor = isFirst ? undefined : next.current;
      try {
        const query = cursor ? { next: cursor } : {};
        const page = await (optionId === undefined
          ? polls.answers(pollId, query)
          : polls.votes(pollId, { ...query, filter: { option_id: optionId } }));
        if (own !== turn.current) return;
        next.current = page.next;
        setList(({ votes }) => ({
          votes: isFirst ? page.votes : [...votes, ...page.votes],
          status: 'ready',
        }));
      } catch {
        if (own === turn.current) setList(({ votes }) => ({ votes, status: 'failed' }));
      }
    },
    [polls, pollId, optionId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` is not read: with each one the first page is asked for anew
  useEffect(() => void load(true), [load, version]);
  return { ...list, hasMore: next.current !== undefined, loadMore: () => void load(false) };
}
