/** Stubs: records without the content that their reader may not see, as an event shows them. */

/** The content fields of a message, empty. */
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

export const locationStub = (logged: Record<string, unknown>): Record<string, unknown> => ({
  latitude: 0,
  longitude: 0,
  ...logged,
});
