/**
 * A task keeps where it stands, so that the next server goes on from there. `failures` counts the runs since it last got on:
 * `attempts` cannot, as it grows with every run. A server of an older version neither reads nor writes the two.
 */
export const taskState = {
  name: '036-task-state',
  sql: `
alter table tasks add column state jsonb, add column failures integer not null default 0;
`,
};
