import type { EventOf, Reaction } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import type { Interned } from '../../sync/intern.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import { findLoaded, putMessage } from '../messages/reducer.ts';

type ReactionEvent = Interned<EventOf<'reaction.new' | 'reaction.updated' | 'reaction.deleted'>>;

const sameType = (a: Reaction) => (b: Reaction) => a.type === b.type;

/** The order in which the server lists them: reactions of one moment go by their type. */
const newestFirst = (a: Reaction, b: Reaction): number => {
  if (a.created_at === b.created_at) return a.type < b.type ? -1 : 1;
  return a.created_at > b.created_at ? -1 : 1;
};

/** The own reactions after the event; a broadcast does not carry them. */
const ownAfter = (known: readonly Reaction[], event: ReactionEvent): Reaction[] => {
  const reaction = event.reaction;
  const left = known.filter((own) => event.message.reaction_counts[own.type]);
  const index = left.findIndex(sameType(reaction));
  if (event.type === 'reaction.deleted') return index < 0 ? left : left.toSpliced(index, 1);
  return index < 0 ? [reaction, ...left].sort(newestFirst) : left.with(index, reaction);
};

const reacted = (state: ConfirmedChannel, event: ReactionEvent): ConfirmedChannel => {
  const message = event.message;
  const own = findLoaded(state, message.id)?.own_reactions ?? [];
  if (event.reaction.user_id !== state.ownId) return putMessage(state, message);
  return putMessage(state, { ...message, own_reactions: message.own_reactions ?? ownAfter(own, event) });
};

export const reactionsReducers = {
  'reaction.new': reacted,
  'reaction.updated': reacted,
  'reaction.deleted': reacted,
} satisfies Reducers;
