/** Takes a lock that keeps everybody from the log. It waits for a moment only and tries again after a pause: behind a longer wait, for a
 * backup that reads the table, every send would wait too. The warning is for the log of the server that starts. */
const lockLog = `
do $$
begin
  perform set_config('lock_timeout', '300ms', true);
  loop
    begin
      lock table events in access exclusive mode;
      exit;
    exception when lock_not_available then
      raise warning 'The upgrade waits until nobody holds the table events, such as a backup or a long query; it tries again in 5 seconds.';
      perform pg_sleep(5);
    end;
  end loop;
end $$;
`;

/** Where the table of before ends: two to three weeks ahead. */
const end = "date_trunc('week', now(), 'UTC') + interval '21 days'";

/** The log is partitioned by weeks. The table of before becomes the partition of all time until its last week. A constraint says so
 * first, so that no reader waits while PostgreSQL looks at every row. */
export const logEnd = {
  name: '048-log-end',
  sql: `
${lockLog}
do $$
begin
  execute format('alter table events add constraint events_end check (created_at < %L) not valid', ${end});
end $$;
`,
};

const readEnd = `
  select substring(pg_get_constraintdef(oid) from $end$'([^']+)'$end$)::timestamptz into strict ends
    from pg_constraint where conrelid = 'events'::regclass and conname = 'events_end';
`;

/** A step of its own: others read and write the log while its rows are looked at. An event from later than the end is given the last
 * moment before it. */
export const logEndChecked = {
  name: '048b-log-end-checked',
  sql: `
do $$
declare
  ends timestamptz;
begin
${readEnd}
  update events set created_at = ends - interval '1 ms' where created_at >= ends;
end $$;
alter table events validate constraint events_end;
`,
};

/** Each partition has its own key: one over all would have to hold the time. That a number is given once in a channel follows from
 * the counter in the channel's row. Rows that no partition is for are in `events_default`, so that a send never fails. */
export const logPartitions = {
  name: '048c-log-partitions',
  sql: `
${lockLog}
do $$
declare
  ends timestamptz;
begin
${readEnd}
  alter table events rename to events_before;
  alter table events_before rename constraint events_pkey to events_before_pkey;
  alter index events_age rename to events_before_age;
  create table events (
    cid text collate "C" not null,
    seq bigint not null,
    created_at timestamptz(3) not null,
    payload text not null
  ) partition by range (created_at);
  execute format('alter table events attach partition events_before for values from (minvalue) to (%L)', ends);
  alter table events_before drop constraint events_end;
  create table events_default (like events including all, primary key (cid, seq));
  create index events_default_age on events_default (created_at);
  alter table events attach partition events_default default;
end $$;
`,
};
