/** The parts of loaded messages that events leave out: they are asked for and put in. */
import type { Core } from '../../core.ts';
import { late } from '../../load-late.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';

/** Asks for the own reactions and votes of a message that came back, for the own votes after a recovery, and for the pins that a full
 * list left out; returns its stop. */
export const followLeftOut = (core: Core): Unsubscribe => {
  const { askOwnReactions, askPins } = late(core, 'leftOut', 'askOwnReactions askPins');
  const { askOwnVotes } = late(core, 'polls', 'askOwnVotes');
  const ask = (run: () => Promise<void>) => void askQuietly(core, 'A message', run);
  return core.events.listen({
    'connection.recovered': () => ask(() => askOwnVotes()),
    'message.undeleted': (event) => {
      const { poll } = event.message;
      ask(() => askOwnReactions(event));
      if (poll) ask(() => askOwnVotes(poll.id));
    },
    'message.updated': ({ cid = '', unpinned }) => void (unpinned && ask(() => askPins(cid))),
    'message.deleted': ({ cid = '', message }) => void (message.pinned && ask(() => askPins(cid))),
  });
};
