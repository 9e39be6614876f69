import type { App } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { AppsTable } from '../../db/schema.ts';
import type { Kernel } from '../../kernel.ts';
import { parseSince } from '../../lib/since.ts';

export type AppRow = Selectable<AppsTable>;
export type AppPatch = { name?: string; suspended?: boolean; revoke_tokens_issued_before?: string | null };
export type Apps = ReturnType<typeof createApps>;

const toApp = (row: AppRow): App => ({
  name: row.name,
  suspended: row.suspended,
  created_at: row.created_at,
  updated_at: row.updated_at,
  ...(row.revoke_tokens_issued_before === null
    ? {}
    : { revoke_tokens_issued_before: row.revoke_tokens_issued_before }),
});

/** The one app of this deployment: its settings, read on every call and so kept at hand. */
export const createApps = (kernel: Kernel) => {
  let kept: AppRow | undefined;
  /** Bumped by every forgetting: a row read before it must not be kept after it, or revoked tokens stay good. */
  let epoch = 0;
  kernel.bus.subscribe((fact) => {
    if (fact.kind !== 'stale' || fact.what !== 'app') return;
    epoch++;
    kept = undefined;
  });

  const get = async (): Promise<AppRow> => {
    if (kept) return kept;
    const before = epoch;
    const row = await kernel.db.selectFrom('apps').selectAll().executeTakeFirstOrThrow();
    if (epoch === before) kept = row;
    return row;
  };

  return {
    get,
    async ensure(): Promise<void> {
      await kernel.db
        .insertInto('apps')
        .values({ id: 1, name: 'Parley' })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async show(): Promise<App> {
      return toApp(await get());
    },
    async patch({ revoke_tokens_issued_before: since, ...values }: AppPatch): Promise<App> {
      const row = await kernel.write(async (tx) => {
        tx.stale({ what: 'app', key: '' });
        return tx.db
          .updateTable('apps')
          .set({
            ...values,
            ...(since === undefined
              ? {}
              : { revoke_tokens_issued_before: parseSince(since, 'revoke_tokens_issued_before') }),
            updated_at: tx.now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return toApp(row);
    },
  };
};
