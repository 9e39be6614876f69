import {
  type ChannelConfig,
  type ChannelType,
  capabilities,
  invalid,
  ParleyError,
  type PermissionRule,
} from '@parley/protocol';
import { compileRules } from '../../access/engine.ts';
import type { TypeEntry } from '../../access/type-entry.ts';
import { isStale } from '../../bus/bus.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { defined } from '../../lib/defined.ts';
import { defaultChannelTypes } from './defaults.ts';
import {
  type ChannelTypeRow,
  deleteType,
  insertType,
  isTypeInUse,
  listTypes,
  lockType,
  updateType,
} from './store.ts';

export type TypeSettings = { [K in keyof ChannelConfig]?: ChannelConfig[K] | undefined } & {
  permissions?: PermissionRule[] | undefined;
};

const toChannelType = ({
  name,
  config,
  permissions,
  created_at,
  updated_at,
}: ChannelTypeRow): ChannelType => ({
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

const jsonOf = (config: ChannelConfig, permissions: PermissionRule[]) => ({
  config: JSON.stringify(config),
  permissions: JSON.stringify(permissions),
});

const lockExisting = async (tx: Tx, name: string): Promise<ChannelTypeRow> => {
  const row = await lockType(tx.db, name);
  if (!row) throw new ParleyError('NotFound', `No channel type ${name}`);
  return row;
};

const merge = (base: ChannelConfig, given: Omit<TypeSettings, 'permissions'>): ChannelConfig => ({
  ...base,
  ...defined(given),
});

/** The kinds of channel and their rules: read on every call and so kept at hand. */
export class ChannelTypes {
  #kernel: Kernel;
  #kept: Map<string, TypeEntry> | undefined;
  #loading: Promise<Map<string, TypeEntry>> | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    kernel.bus.subscribe((event) => {
      if (isStale(event, 'channel-type')) this.#kept = this.#loading = undefined;
    });
  }

  async all(db: Db): Promise<ReadonlyMap<string, TypeEntry>> {
    if (this.#kept) return this.#kept;
    // A transaction must not wait for a load that waits for a connection.
    if (db.isTransaction) return this.#load(db);
    if (this.#loading) return this.#loading;
    const loading = this.#load(db);
    this.#loading = loading;
    try {
      const loaded = await loading;
      // Forgotten meanwhile: what was read before that must not be kept after it.
      if (this.#loading === loading) this.#kept = loaded;
      return loaded;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  async get(db: Db, name: string): Promise<TypeEntry> {
    const entry = (this.#kept ?? (await this.all(db))).get(name);
    if (!entry) throw new ParleyError('NotFound', `No channel type ${name}`);
    return entry;
  }

  async ensure(): Promise<void> {
    for (const [name, { config, permissions }] of Object.entries(defaultChannelTypes))
      await insertType(this.#kernel.db, { name, ...jsonOf(config, permissions) });
  }

  async list(): Promise<Record<string, ChannelType>> {
    return Object.fromEntries(
      [...(await this.all(this.#kernel.db))].map(([name, { row }]) => [name, toChannelType(row)]),
    );
  }

  async show(name: string): Promise<ChannelType> {
    return toChannelType((await this.get(this.#kernel.db, name)).row);
  }

  async create(name: string, { permissions, ...given }: TypeSettings): Promise<ChannelType> {
    checkRules(permissions);
    const base = await this.get(this.#kernel.db, 'messaging');
    const rules = withDefaults(permissions ?? base.row.permissions);
    const row = await this.#write(name, (tx) =>
      insertType(tx.db, { name, ...jsonOf(merge(base.config, given), rules) }),
    );
    if (!row) throw new ParleyError('DuplicateId', `The channel type ${name} exists`);
    return toChannelType(row);
  }

  async update(name: string, { permissions, ...given }: TypeSettings): Promise<ChannelType> {
    checkRules(permissions);
    const row = await this.#write(name, async (tx) => {
      const before = await lockExisting(tx, name);
      const rules = withDefaults(permissions ?? before.permissions);
      const values = { ...jsonOf(merge(before.config, given), rules), updated_at: tx.now };
      return updateType(tx.db, name, values);
    });
    return toChannelType(row);
  }

  remove(name: string): Promise<void> {
    return this.#write(name, async (tx) => {
      await lockExisting(tx, name);
      if (await isTypeInUse(tx.db, name))
        throw new ParleyError('InputInvalid', `Channels of the type ${name} exist`, [
          { path: 'name', message: 'is still in use' },
        ]);
      await deleteType(tx.db, name);
    });
  }

  async #load(db: Db): Promise<Map<string, TypeEntry>> {
    const rows = await listTypes(db);
    return new Map(
      rows.map((row) => [
        row.name,
        { name: row.name, row, config: row.config, grants: compileRules(row.permissions) },
      ]),
    );
  }

  #write<T>(name: string, run: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#kernel.write((tx) => {
      tx.stale({ what: 'channel-type', key: name });
      return run(tx);
    });
  }
}
