/**
 * A send writes its own line into the search queue: a trigger with a transition table cost a twentieth of the statement.
 * The trigger stays for every other way in which a message may come into the table, among them a server of an older version
 * that runs beside this one; `in_search_queue` says what is in the queue already.
 */
export const searchQueue = {
  name: '035-search-queue',
  sql: `
alter table messages add column in_search_queue boolean;
drop trigger messages_search_insert on messages;
create trigger messages_search_insert after insert on messages
  for each row when (new.in_search_queue is null) execute function search_queue_one();
`,
};
