/** Messages up to this number were truncated: no reader sees them, and a task removes them in steps. */
export const emptiedSeq = {
  name: '031-emptied-seq',
  sql: `
alter table channels add column emptied_seq bigint not null default -1;
`,
};
