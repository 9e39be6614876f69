/**
 * The words of messages in a narrow table of their own: a search reads no whole messages, ranking needs no second
 * parse, and sending pays for a line in a queue instead of an index. What is written, edited or deleted by whatever path
 * comes into the queue with it; features/search/indexing.ts works it off.
 */
export const searchWords = {
  name: '011-search-words',
  sql: `
drop index messages_words;
drop index messages_newest;

create table message_words (
  message_id text collate "C" primary key,
  cid text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamptz(3) not null,
  words tsvector not null
);
alter table message_words alter column words set statistics 500;
create index message_words_words on message_words using gin (words)
  with (fastupdate = on, gin_pending_list_limit = 512);
create index message_words_newest on message_words (created_at, message_id);
create index message_words_cid on message_words (cid, created_at);
create index message_words_user on message_words (user_id, created_at);

create table search_queue (
  id bigint generated always as identity primary key,
  message_id text collate "C" not null
);

create function search_queue_many() returns trigger language plpgsql as $$
begin
  insert into search_queue (message_id) select id from changed;
  return null;
end $$;
create function search_queue_one() returns trigger language plpgsql as $$
begin
  insert into search_queue (message_id) values (new.id);
  return null;
end $$;

create trigger messages_search_insert after insert on messages
  referencing new table as changed for each statement execute function search_queue_many();
create trigger messages_search_delete after delete on messages
  referencing old table as changed for each statement execute function search_queue_many();
create trigger messages_search_update after update of text, attachments, type, created_at, deleted_at on messages
  for each row when (
    (old.text, old.attachments, old.type, old.created_at, old.deleted_at)
    is distinct from (new.text, new.attachments, new.type, new.created_at, new.deleted_at)
  ) execute function search_queue_one();

insert into search_queue (message_id) select id from messages order by created_at desc;

-- What somebody wrote is theirs: it stays when the channel it was meant for goes.
alter table drafts drop constraint drafts_cid_fkey;
`,
};
