/** Orders the changes of a member's own read mark: see `markVersion`. */
export const ownMarks = {
  name: '023-own-marks',
  sql: 'alter table members add column read_version bigint not null default 0;',
};
