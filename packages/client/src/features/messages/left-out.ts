/** The parts of loaded messages that events leave out: they are asked for and put in. */
import { limits } from '@parley/protocol/limits';
import type { Core } from '../../core.ts';
import { late } from '../../load-late.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';
import { findLoaded } from './reducer.ts';

/** Asks for the own reactions of a message that came back with more reactions than are shown; returns its stop. */
export const followUndeleted = (core: Core): Unsubscribe => {
  const { askOwnReactions } = late(core, 'leftOut', 'askOwnReactions');
  return core.events.on(
    'message.undeleted',
    async ({ cid = '', message: { id, reaction_counts, latest_reactions } }) => {
      const count = Object.values(reaction_counts).reduce((sum, one) => sum + one, 0);
      const state = core.store.confirmed(cid);
      if (count <= latest_reactions.length || !state || !findLoaded(state, id)) return;
      await askQuietly(core, 'Own reactions', () => askOwnReactions(cid, id));
    },
  );
};

/** Asks for the pins that a full list left out, once one of those shown is gone; returns its stop. */
export const followPins = (core: Core): Unsubscribe => {
  const { askPins } = late(core, 'leftOut', 'askPins');
  const ask = async (cid: string) => {
    if (core.store.confirmed(cid)?.pinned.length !== limits.pinnedShown - 1) return;
    await askQuietly(core, 'Pins', () => askPins(cid));
  };
  return core.events.listen({
    'message.updated': ({ cid = '', unpinned }) => void (unpinned && ask(cid)),
    'message.deleted': ({ cid = '', message }) => void (message.pinned && ask(cid)),
  });
};
