/** The run of PostgreSQL that wrote the log that a replica replays: by this row a server finds the replicas that follow the
 * primary, and not another one since a failover. */
export const primaryRun = {
  name: '055-primary-run',
  sql: 'alter table deployment add column primary_run text',
};
