/** The own votes of polls. The log does not tell them: after a gap they are asked for. */
import type { Core } from '../../core.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';

const pollIds = ({ store }: Core): string[] =>
  store.active.get().flatMap((cid) => {
    const state = store.confirmed(cid);
    const lists = state ? [state, ...Object.values(state.threads)] : [];
    return lists.flatMap(({ messages }) => messages.flatMap(({ poll }) => poll?.id ?? []));
  });

/** Asks anew after a recovery, and for a message that came back; returns its stop. */
export const followOwnVotes = (core: Core): Unsubscribe => {
  const ask = async (ids: string[]) => {
    if (ids.length === 0) return;
    await askQuietly(core, 'The own votes', async () => {
      const body = { filter: { id: { $in: [...new Set(ids)].slice(-100) } }, limit: 100 };
      const { polls } = await core.http.call('POST /polls/query', { body });
      for (const { id, cid = '', message_id = '', own_votes = [] } of polls)
        core.confirm({ type: 'notification.poll_own_votes', cid, poll_id: id, message_id, own_votes });
    });
  };
  return core.events.listen({
    'connection.recovered': () => void ask(pollIds(core)),
    'message.undeleted': ({ message }) => void ask(message.poll ? [message.poll.id] : []),
  });
};
