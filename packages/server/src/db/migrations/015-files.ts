/** Uploaded files, and which messages carry them. The triggers hold for every way a message comes, changes and goes. */
export const files = {
  name: '015-files',
  sql: `
create table files (
  id text collate "C" primary key,
  user_id text collate "C" not null,
  upload_id text collate "C",
  cid text collate "C",
  name text not null,
  mime_type text not null,
  size bigint not null default 0,
  width integer,
  height integer,
  duration double precision,
  has_thumb boolean not null default false,
  state text not null default 'receiving',
  linked boolean not null default false,
  unlinked_at timestamptz(3),
  used_at timestamptz(3) not null,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null
);
create unique index files_upload on files (user_id, upload_id) where upload_id is not null;
create index files_user on files (user_id);
create index files_loose on files (used_at) where not linked or state <> 'ready';

create table file_links (
  file_id text collate "C" not null references files (id) on delete cascade,
  message_id text collate "C" not null references messages (id) on delete cascade,
  cid text collate "C" not null,
  primary key (message_id, file_id)
);
create index file_links_file on file_links (file_id);

create function link_files() returns trigger language plpgsql as $$
declare
  named text[];
begin
  select array_agg(distinct found.id) into named from (
    select substring(attachment ->> field from '^(?:https?://[^/]+)?/files/([A-Za-z0-9_-]{24})/') as id
    from jsonb_array_elements(new.attachments) attachment,
      unnest(array['asset_url', 'image_url', 'thumb_url']) field
  ) found where found.id is not null;
  if named is null then return null; end if;
  update files set linked = true, unlinked_at = null where id = any(named) and state = 'ready';
  insert into file_links (file_id, message_id, cid)
    select id, new.id, new.cid from files where id = any(named) and state = 'ready'
    on conflict do nothing;
  return null;
end $$;
create trigger messages_link_files after insert or update of attachments on messages
  for each row when (new.attachments <> '[]'::jsonb) execute function link_files();

create function unlink_file() returns trigger language plpgsql as $$
begin
  update files set linked = false, unlinked_at = now()
    where id = old.file_id and not exists (select from file_links where file_id = old.file_id);
  return null;
end $$;
create trigger file_links_unlink after delete on file_links
  for each row execute function unlink_file();
`,
};
