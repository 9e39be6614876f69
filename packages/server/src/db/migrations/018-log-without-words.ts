/** The log keeps what happened and not what was said: rows of before hold texts, so they go, and every client takes a
 * fresh snapshot once. A cursor below `log_floor`, or below the reader's `cleared_seq`, is too old; another `log_id` means another log. */
export const logWithoutWords = {
  name: '018-log-without-words',
  sql: `
alter table channels
  add column log_id text collate "C" not null default left(replace(gen_random_uuid()::text, '-', ''), 12),
  add column log_floor bigint not null default 0;
alter table members add column cleared_seq bigint not null default 0;
update members set cleared_seq = channels.seq from channels
  where members.cid = channels.cid and members.cleared_at is not null;
truncate events;
`,
};
