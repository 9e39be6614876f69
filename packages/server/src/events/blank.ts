/** The parts of a record that its reader may not see, as an event shows them. */

/** Nothing of what was said, in the shape of what was. */
export const noContent = {
  text: '',
  type: 'deleted' as const,
  attachments: [],
  mentioned_users: [],
  reaction_counts: {},
  reaction_scores: {},
  reaction_groups: {},
  latest_reactions: [],
};

export const goneLocation = (kept: Record<string, unknown>): Record<string, unknown> => ({
  latitude: 0,
  longitude: 0,
  ...kept,
});
