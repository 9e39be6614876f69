/** An expression index, not a stored column: rows stay as small as they were, and a page of history reads no words.
 * The short pending list keeps inserts cheap and bounds what a search must read besides the index. */
export const search = {
  name: '005-search',
  sql: `
create index messages_words on messages using gin (to_tsvector('simple', text))
  with (fastupdate = on, gin_pending_list_limit = 512)
  where deleted_at is null;
create index messages_newest on messages (created_at, id) where deleted_at is null;
`,
};
