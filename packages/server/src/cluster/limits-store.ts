import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

/** The part of a caller's budget that a server asks for. */
export type Ask = {
  key: string;
  /** Calls in a window, by all servers together. */
  most: number;
  windowMs: number;
  /** Calls that were let through, or wait to be, and that no grant covers yet. */
  owed: number;
  /** Granted calls less those that were let through. */
  balance: number;
  /** The fewest calls that are granted ahead, while there are any. */
  least: number;
};

export type Grant = { key: string; calls: number; spent: number; age_ms: number };

/** Stores callers whom the database does not know yet: their windows begin now. */
export const startBudgets = async (db: Db, keys: readonly string[]): Promise<void> => {
  await db
    .insertInto('call_budgets')
    .values(keys.toSorted().map((key) => ({ key })))
    .onConflict((oc) => oc.column('key').doNothing())
    .execute();
};

/** Grants what is owed and a part of the rest ahead: the n-th of it, so that other servers find some as well. Rows are locked in the
 * order of their keys, or two servers would wait for each other. A window that begins far after now is over as well: the clock of
 * the database was set back. */
export const grantCalls = async (
  db: Db,
  { self, parts }: { self: string; parts: number },
  asks: readonly Ask[],
): Promise<Grant[]> => {
  const column = (name: Exclude<keyof Ask, 'key'>) => sql`${asks.map((ask) => ask[name])}::integer[]`;
  const { rows } = await sql<Grant>`
    with asked as (
      select * from unnest(
        ${asks.map(({ key }) => key)}::text[], ${column('most')}, ${column('windowMs')},
        ${column('owed')}, ${column('balance')}, ${column('least')}
      ) as a (key, most, window_ms, owed, balance, least)
    ), held as (
      select b.key, b.started_at, b.spent, b.unused,
        abs(extract(epoch from now() - b.started_at)) * 1000 >= asked.window_ms as is_over
      from call_budgets b join asked on asked.key = b.key order by b.key for update of b
    ), current as (
      select key, case when is_over then now() else started_at end as started_at,
        case when is_over then 0 else spent end as spent,
        case when is_over then '{}' else unused end as unused
      from held
    ), granted as (
      select c.key, c.started_at, c.spent, c.unused, asked.balance, greatest(0, least(
        asked.most - c.spent,
        asked.owed + greatest(asked.least, (asked.most - c.spent - asked.owed) / ${parts}::integer)
      )) as calls
      from current c join asked on asked.key = c.key
    )
    update call_budgets b set
      started_at = g.started_at,
      spent = g.spent + g.calls,
      unused = g.unused || jsonb_build_object(${self}::text, greatest(0, g.balance + g.calls))
    from granted g where b.key = g.key
    returning b.key, g.calls, b.spent,
      greatest(0, extract(epoch from now() - b.started_at) * 1000)::integer as age_ms`.execute(db);
  return rows;
};

/** Gives back granted calls that a server does not use. */
export const returnCalls = async (db: Db, self: string, key: string, calls: number): Promise<void> => {
  await sql`
    update call_budgets set spent = greatest(0, spent - ${calls}), unused = unused - ${self}::text
    where key = ${key} and unused ? ${self}::text`.execute(db);
};

/** Gives back the calls that servers had left, which are gone, and forgets their connections. */
export const dropLimitsOf = async (db: Db, serverIds: readonly string[]): Promise<void> => {
  for (const id of serverIds)
    await sql`
      with held as (select key from call_budgets where unused ? ${id}::text order by key for update)
      update call_budgets b
      set spent = greatest(0, b.spent - (b.unused ->> ${id}::text)::integer), unused = b.unused - ${id}::text
      from held where b.key = held.key`.execute(db);
  await db.deleteFrom('connection_counts').where('server_id', 'in', serverIds).execute();
};

export const deleteOldBudgets = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('call_budgets')
    .where('started_at', '<', sql<string>`now() - interval '1 hour'`)
    .execute();
};

/** Forgets the connections of servers that nobody will find dead: they were taken for dead, or left, while they stored a number. */
export const deleteLostConnections = async (db: Db): Promise<void> => {
  await sql`delete from connection_counts where server_id not in (select id from servers)`.execute(db);
};

/** The number of connections of users and addresses on other servers. */
export const countConnectionsElsewhere = async (
  db: Db,
  self: string,
  keys: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('connection_counts')
    .select(['key', sql<number>`sum(connections)::integer`.as('connections')])
    .where('key', 'in', keys)
    .where('server_id', '<>', self)
    .groupBy('key')
    .execute();
  return new Map(rows.map(({ key, connections }) => [key, connections]));
};

export const storeConnections = async (
  db: Db,
  self: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> => {
  const gone = [...counts].filter(([, connections]) => connections === 0).map(([key]) => key);
  const rows = [...counts]
    .filter(([, connections]) => connections > 0)
    .map(([key, connections]) => ({ key, server_id: self, connections }));
  if (gone.length > 0)
    await db.deleteFrom('connection_counts').where('server_id', '=', self).where('key', 'in', gone).execute();
  if (rows.length > 0)
    await db
      .insertInto('connection_counts')
      .values(rows)
      .onConflict((oc) =>
        oc.columns(['key', 'server_id']).doUpdateSet({ connections: (eb) => eb.ref('excluded.connections') }),
      )
      .execute();
};
