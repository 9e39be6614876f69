/** Which run of PostgreSQL wrote the log that a replica replays: by its row a server tells the replicas of the primary from those that
 * follow another one since a failover. */
export const primaryRun = {
  name: '055-primary-run',
  sql: 'alter table deployment add column primary_run text',
};
