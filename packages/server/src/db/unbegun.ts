import { sql } from 'kysely';

/** The `hidden_number` of members who were shown nothing of a channel yet. Below every number: who hides an empty channel has 0. */
export const neverShown = -1;

/** Whether a member has been shown nothing of a direct conversation yet: another person opened it, and nobody has written, not
 * silently either. For queries with the rows of both tables. */
export const isUnbegun = sql<boolean>`(members.hidden_number = ${sql.lit(neverShown)}
  and channels.last_number = 0 and channels.last_message_at is null)`;
