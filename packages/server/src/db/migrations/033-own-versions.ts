/** Orders what a member makes of a channel for themselves (pinned, archived, hidden), which is in no log. */
export const ownVersions = {
  name: '033-own-versions',
  sql: 'alter table members add column own_version bigint not null default 0;',
};
