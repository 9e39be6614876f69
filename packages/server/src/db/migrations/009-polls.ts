/** A poll belongs to the message that carries it and goes with it; until it is sent it has none. What changes with
 * every vote stands in no index, so that a vote moves no index entries of the poll. */
export const polls = {
  name: '009-polls',
  sql: `
alter table messages add column poll_id text collate "C";

create table polls (
  id text collate "C" primary key,
  created_by text collate "C" not null,
  cid text collate "C",
  message_id text collate "C" unique references messages (id) on delete cascade,
  name text not null,
  description text not null,
  options jsonb not null,
  voting_visibility text not null,
  enforce_unique_vote boolean not null,
  max_votes_allowed integer,
  allow_user_suggested_options boolean not null,
  allow_answers boolean not null,
  is_closed boolean not null,
  end_at timestamptz(3),
  data jsonb not null default '{}',
  vote_counts jsonb not null default '{}',
  answers_count integer not null default 0,
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 70);
create index polls_channel on polls (cid, created_at);
create index polls_unsent on polls (created_at) where message_id is null;
create index polls_ending on polls (end_at) where not is_closed and end_at is not null;

create table poll_votes (
  id text collate "C" primary key,
  poll_id text collate "C" not null references polls (id) on delete cascade,
  user_id text collate "C" not null,
  option_id text collate "C",
  answer_text text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index poll_votes_once on poll_votes (poll_id, user_id, coalesce(option_id, ''));
create index poll_votes_newest on poll_votes (poll_id, option_id, created_at, id);

create table poll_untold (poll_id text collate "C" primary key references polls (id) on delete cascade);
`,
};
