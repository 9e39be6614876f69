import { sql } from 'kysely';

/** A truncate hides the messages so far by the channel's `emptied_seq`, in one short transaction, and a task removes them afterwards.
 * A read of messages without this condition would show truncated messages until the task has removed them. */
export const isNotTruncated = sql<boolean>`messages.seq > (select c.emptied_seq from channels c where c.cid = messages.cid)`;
