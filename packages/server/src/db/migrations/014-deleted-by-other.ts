/** Whether somebody other than its author deleted a message: then it is not the author's to bring back. */
export const deletedByOther = {
  name: '014-deleted-by-other',
  sql: 'alter table messages add column deleted_by_other boolean not null default false;',
};
