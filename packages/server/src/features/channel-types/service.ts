import {
  type ChannelConfig,
  type ChannelType,
  capabilities,
  invalid,
  ParleyError,
  type PermissionRule,
} from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { ChannelTypesTable } from '../../db/schema.ts';
import type { Kernel } from '../../kernel.ts';
import { compileRules, type Grants } from '../roles/engine.ts';
import { defaultChannelTypes } from './defaults.ts';

type Row = Selectable<ChannelTypesTable>;
/** A channel type with its rules made ready. */
export type TypeEntry = {
  name: string;
  row: Row;
  config: ChannelConfig;
  grants(roles: readonly string[]): Grants;
};
export type TypeSettings = { [K in keyof ChannelConfig]?: ChannelConfig[K] | undefined } & {
  permissions?: PermissionRule[] | undefined;
};
export type ChannelTypes = ReturnType<typeof createChannelTypes>;

const toChannelType = ({ name, config, permissions, created_at, updated_at }: Row): ChannelType => ({
  name,
  ...config,
  permissions,
  created_at,
  updated_at,
});

const checkRules = (rules: PermissionRule[] | undefined): void => {
  const known = new Set<string>(['*', ...capabilities]);
  for (const [index, rule] of (rules ?? []).entries())
    for (const [at, resource] of (rule.resources ?? []).entries())
      if (!known.has(resource))
        throw invalid(`permissions.${index}.resources.${at}`, `no capability is called "${resource}"`);
};

const withDefaults = (rules: PermissionRule[]): PermissionRule[] =>
  rules.map((rule) => ({ ...rule, resources: rule.resources ?? ['*'], roles: rule.roles ?? ['*'] }));

export const createChannelTypes = (kernel: Kernel) => {
  let kept: Promise<Map<string, TypeEntry>> | undefined;
  kernel.bus.subscribe((fact) => {
    if (fact.kind === 'stale' && fact.what === 'channel-type') kept = undefined;
  });

  const load = async (): Promise<Map<string, TypeEntry>> => {
    const rows = await kernel.db.selectFrom('channel_types').selectAll().orderBy('name').execute();
    return new Map(
      rows.map((row) => [
        row.name,
        { name: row.name, row, config: row.config, grants: compileRules(row.permissions) },
      ]),
    );
  };

  const all = (): Promise<Map<string, TypeEntry>> => {
    if (kept) return kept;
    const loading = load();
    kept = loading;
    // A failed load must not be kept: the next call tries again.
    loading.catch(() => {
      if (kept === loading) kept = undefined;
    });
    return loading;
  };

  const get = async (name: string): Promise<TypeEntry> => {
    const entry = (await all()).get(name);
    if (!entry) throw new ParleyError('NotFound', `No channel type ${name}`);
    return entry;
  };

  const save = (name: string, config: ChannelConfig, permissions: PermissionRule[]): Promise<Row> =>
    kernel.write(async (tx) => {
      tx.stale({ what: 'channel-type', key: name });
      const values = { config: JSON.stringify(config), permissions: JSON.stringify(permissions) };
      return tx.db
        .insertInto('channel_types')
        .values({ name, ...values })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ ...values, updated_at: tx.now }))
        .returningAll()
        .executeTakeFirstOrThrow();
    });

  const merge = (base: ChannelConfig, given: Omit<TypeSettings, 'permissions'>): ChannelConfig => ({
    ...base,
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<ChannelConfig>),
  });

  return {
    get,
    all,
    async ensure(): Promise<void> {
      for (const [name, { config, permissions }] of Object.entries(defaultChannelTypes))
        await kernel.db
          .insertInto('channel_types')
          .values({ name, config: JSON.stringify(config), permissions: JSON.stringify(permissions) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    },
    list: async () =>
      Object.fromEntries([...(await all())].map(([name, { row }]) => [name, toChannelType(row)])),
    show: async (name: string) => toChannelType((await get(name)).row),
    async create(name: string, { permissions, ...given }: TypeSettings): Promise<ChannelType> {
      if ((await all()).has(name)) throw new ParleyError('DuplicateId', `The channel type ${name} exists`);
      checkRules(permissions);
      const base = await get('messaging');
      return toChannelType(
        await save(name, merge(base.config, given), withDefaults(permissions ?? base.row.permissions)),
      );
    },
    async update(name: string, { permissions, ...given }: TypeSettings): Promise<ChannelType> {
      checkRules(permissions);
      const { row } = await get(name);
      return toChannelType(
        await save(name, merge(row.config, given), withDefaults(permissions ?? row.permissions)),
      );
    },
    async remove(name: string): Promise<void> {
      await get(name);
      await kernel.write(async (tx) => {
        const used = await tx.db
          .selectFrom('channels')
          .select('cid')
          .where('type', '=', name)
          .executeTakeFirst();
        if (used)
          throw new ParleyError('InputInvalid', `Channels of the type ${name} exist`, [
            { path: 'name', message: 'is still in use' },
          ]);
        tx.stale({ what: 'channel-type', key: name });
        await tx.db.deleteFrom('channel_types').where('name', '=', name).execute();
      });
    },
  };
};
