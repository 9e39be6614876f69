/** Whether a file may be read by everyone no longer follows from its links, which come and go by the acts of others.
 * `was_attached` never goes back: its uploader attached the file, or a message carried a file of a channel. Only such a file
 * leaves with its last message; of any other a link by somebody else neither narrows its readers nor removes it. */
export const attachedFiles = {
  name: '034-attached-files',
  sql: `
alter table files add column was_attached boolean not null default false;

create or replace function link_files() returns trigger language plpgsql as $$
declare
  named text[];
begin
  select array_agg(distinct found.id) into named from (
    select substring(attachment ->> field from '^(?:https?://[^/]+)?/files/([A-Za-z0-9_-]{24})/') as id
    from jsonb_array_elements(new.attachments) attachment,
      unnest(array['asset_url', 'image_url', 'thumb_url']) field
  ) found where found.id is not null;
  if named is null then return null; end if;
  update files set linked = true, unlinked_at = null,
      was_attached = was_attached or cid is not null or user_id = new.user_id
    where id = any(named) and state = 'ready';
  insert into file_links (file_id, message_id, cid)
    select id, new.id, new.cid from files where id = any(named) and state = 'ready'
    on conflict do nothing;
  return null;
end $$;

create or replace function unlink_file() returns trigger language plpgsql as $$
begin
  update files set linked = false, unlinked_at = case when was_attached then now() end
    where id = old.file_id and not exists (select from file_links where file_id = old.file_id);
  return null;
end $$;
`,
};

/** Files that messages carry or carried are private as before. The exception is a picture of its uploader that only others attached:
 * their links had hidden it. A step of its own, so that readers of files wait for no more than the new column. */
export const attachedFilesBefore = {
  name: '034b-attached-files-before',
  sql: `
update files set was_attached = true
  where (linked or unlinked_at is not null) and not was_attached
    and (cid is not null
      or exists (select from file_links join messages on messages.id = file_links.message_id
        where file_links.file_id = files.id and messages.user_id = files.user_id)
      or not exists (select from users
        where users.id = files.user_id and position('/files/' || files.id || '/' in users.image) > 0));
`,
};

/** Finds by an index who names a file: the collector asks each time a file loses its last message. */
export const namedFiles = {
  name: '034c-named-files',
  sql: `
create function named_files(place text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct found[1]), '{}')
    from regexp_matches(place, '/files/([A-Za-z0-9_-]{24})/', 'g') found
$$;
create index users_named_files on users using gin (named_files(coalesce(image, '') || data::text))
  where coalesce(image, '') || data::text like '%/files/%';
create index channels_named_files on channels using gin (named_files(coalesce(image, '') || data::text))
  where coalesce(image, '') || data::text like '%/files/%';
create index drafts_named_files on drafts using gin (named_files(attachments::text || data::text))
  where attachments::text || data::text like '%/files/%';
create index pending_messages_named_files on pending_messages using gin (named_files(input::text))
  where input::text like '%/files/%';
create index scheduled_messages_named_files on scheduled_messages using gin (named_files(input::text))
  where input::text like '%/files/%';
`,
};
