/** The own votes of polls. The log does not hold them: after a gap they are asked for. */
import type { Core } from '../../core.ts';
import { late } from '../../load-late.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';

/** Asks anew after a recovery, and for a message that came back; returns its stop. */
export const followOwnVotes = (core: Core): Unsubscribe => {
  const { askOwnVotes } = late(core, 'polls', 'askOwnVotes');
  const ask = (pollId?: string) => void askQuietly(core, 'Own votes', () => askOwnVotes(pollId));
  return core.events.listen({
    'connection.recovered': () => ask(),
    'message.undeleted': ({ message: { poll } }) => poll && ask(poll.id),
  });
};
