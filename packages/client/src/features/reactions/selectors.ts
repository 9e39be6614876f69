import type { Message } from '@parley/protocol';
import type { ChannelState } from '../../sync/state.ts';
import { hasCapability } from '../channels/selectors.ts';

/** Whether the own user may react to the message. */
export const canReact = (
  state: ChannelState,
  me: { id: string } | undefined,
  message: Message & { status?: string },
): boolean =>
  me !== undefined &&
  message.type !== 'deleted' &&
  message.type !== 'ephemeral' &&
  (message.status ?? 'sent') === 'sent' &&
  state.channel.config?.reactions !== false &&
  hasCapability(state, 'send-reaction');

/** Whether the own user has reacted with this type. */
export const hasReacted = (message: Message, type: string): boolean =>
  message.own_reactions?.some((reaction) => reaction.type === type) ?? false;

export type ReactionSummary = { type: string; count: number; score: number; isOwn: boolean };

/** One entry per reaction, in the order in which they first came. */
export const selectReactions = (message: Message): ReactionSummary[] =>
  Object.entries(message.reaction_groups)
    .toSorted(([, a], [, b]) => a.first_reaction_at.localeCompare(b.first_reaction_at))
    .map(([type, { count, sum_scores }]) => ({
      type,
      count,
      score: sum_scores,
      isOwn: hasReacted(message, type),
    }));
