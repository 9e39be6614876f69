/** Orders what a reader makes of a thread, which is in no log: reading it, answering in it, and its replies going and coming back. */
export const threadVersions = {
  name: '056-thread-versions',
  sql: 'alter table thread_reads add column version bigint not null default 0;',
};
