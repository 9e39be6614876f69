/** A thread's replies are counted once, on the thread; who follows it keeps the number they have read. */
export const threads = {
  name: '006-threads',
  sql: `
create table threads (
  parent_id text collate "C" primary key references messages (id) on delete cascade,
  cid text collate "C" not null,
  title text,
  data jsonb not null default '{}',
  last_number bigint not null default 0,
  last_reply_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table thread_reads (
  parent_id text collate "C" not null references threads (parent_id) on delete cascade,
  user_id text collate "C" not null,
  read_number bigint not null default 0,
  last_read timestamptz(3),
  primary key (user_id, parent_id)
);
create index thread_reads_parent on thread_reads (parent_id);

insert into threads (parent_id, cid, last_number, last_reply_at, created_at, updated_at)
select p.id, p.cid, count(*), max(r.created_at), min(r.created_at), max(r.created_at)
from messages r join messages p on p.id = r.parent_id group by p.id, p.cid;

insert into thread_reads (parent_id, user_id, read_number)
select threads.parent_id, follower.user_id, threads.last_number from threads
cross join lateral (
  select user_id from messages where parent_id = threads.parent_id
  union select user_id from messages where id = threads.parent_id
) follower;
`,
};
