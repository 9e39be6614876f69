/** Versions come from one sequence: a draft that was deleted and written anew is never taken for the old one. */
export const drafts = {
  name: '007-drafts',
  sql: `
create sequence draft_versions;

create table drafts (
  user_id text collate "C" not null,
  cid text collate "C" not null references channels (cid) on delete cascade,
  parent_id text collate "C" not null default '',
  text text not null,
  attachments jsonb not null default '[]',
  mentioned jsonb not null default '[]',
  quoted_message_id text collate "C",
  data jsonb not null default '{}',
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (user_id, cid, parent_id)
);
create index drafts_cid on drafts (cid);
`,
};
