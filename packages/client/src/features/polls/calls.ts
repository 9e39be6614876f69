import type { Core } from '../../core.ts';

const shownPolls = ({ store }: Core): string[] =>
  store.active.get().flatMap((cid) => {
    const state = store.confirmed(cid);
    const lists = state ? [state, ...Object.values(state.threads)] : [];
    return lists.flatMap(({ messages }) => messages.flatMap(({ poll }) => poll?.id ?? []));
  });

export const createPollCalls = (core: Core) => ({
  /** Loads the own votes of one poll, or of all that are shown. */
  askOwnVotes: async (pollId?: string): Promise<void> => {
    const ids = pollId === undefined ? shownPolls(core) : [pollId];
    if (ids.length === 0) return;
    const body = { filter: { id: { $in: [...new Set(ids)].slice(-100) } }, limit: 100 };
    // An event that came meanwhile is newer than the answer.
    const changed = new Set<string>();
    const stop = core.events.on('notification.poll_own_votes', ({ poll_id }) => void changed.add(poll_id));
    const { polls } = await core.http.call('POST /polls/query', { body }).finally(stop);
    for (const { id, cid = '', message_id = '', own_votes = [] } of polls)
      if (!changed.has(id))
        core.confirm({ type: 'notification.poll_own_votes', cid, poll_id: id, message_id, own_votes });
  },
});
