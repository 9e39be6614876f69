import type { BodyOf, Reaction } from '@parley/protocol';
import type { Core } from '../../core.ts';

export type ReactionQuery = BodyOf<'POST /messages/{id}/reactions/query'>;
export type ReactionPage = { reactions: Reaction[]; next?: string };

export const createReactionCalls = ({ http }: Core) => ({
  /** The reactions to a message, newest first. */
  query: async (messageId: string, query: ReactionQuery = {}): Promise<ReactionPage> => {
    const path = { id: messageId };
    const reply = await http.call('POST /messages/{id}/reactions/query', { path, body: query });
    return { ...reply, reactions: reply.reactions };
  },
});
