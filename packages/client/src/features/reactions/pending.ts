import type { Reaction, ReactionGroup } from '@parley/protocol';
import type { VisibleMessage } from '../../sync/state.ts';

type Counts = Record<string, number>;

const bump = (counts: Counts, type: string, by: number): Counts => {
  const count = (counts[type] ?? 0) + by;
  if (count > 0) return { ...counts, [type]: count };
  const { [type]: _, ...rest } = counts;
  return rest;
};

const bumpGroup = (
  groups: Record<string, ReactionGroup>,
  { type, created_at }: Reaction,
  by: { count: number; score: number },
): Record<string, ReactionGroup> => {
  const known = groups[type] ?? {
    count: 0,
    sum_scores: 0,
    first_reaction_at: created_at,
    last_reaction_at: created_at,
  };
  const count = known.count + by.count;
  if (count > 0) return { ...groups, [type]: { ...known, count, sum_scores: known.sum_scores + by.score } };
  const { [type]: _, ...rest } = groups;
  return rest;
};

const isSame = (a: Reaction, b: Reaction): boolean => a.type === b.type && a.user_id === b.user_id;

export const withoutReaction = (message: VisibleMessage, type: string): VisibleMessage => {
  const own = message.own_reactions?.find((reaction) => reaction.type === type);
  if (!own) return message;
  return {
    ...message,
    own_reactions: message.own_reactions?.filter((reaction) => reaction !== own) ?? [],
    latest_reactions: message.latest_reactions.filter((reaction) => !isSame(reaction, own)),
    reaction_counts: bump(message.reaction_counts, type, -1),
    reaction_scores: bump(message.reaction_scores, type, -own.score),
    reaction_groups: bumpGroup(message.reaction_groups, own, { count: -1, score: -own.score }),
  };
};

export const withReaction = (
  message: VisibleMessage,
  reaction: Reaction,
  unique: boolean,
): VisibleMessage => {
  const replaced = unique ? (message.own_reactions ?? []).map(({ type }) => type) : [reaction.type];
  const cleared = replaced.reduce(withoutReaction, message);
  const { type, score } = reaction;
  return {
    ...cleared,
    own_reactions: [reaction, ...(cleared.own_reactions ?? [])],
    latest_reactions: [reaction, ...cleared.latest_reactions],
    reaction_counts: bump(cleared.reaction_counts, type, 1),
    reaction_scores: bump(cleared.reaction_scores, type, score),
    reaction_groups: bumpGroup(cleared.reaction_groups, reaction, { count: 1, score }),
  };
};
