import type { ChannelConfig } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { ChannelTypesTable, Db } from '../db/schema.ts';
import type { Grants } from './engine.ts';

/** A channel type with its rules made ready. */
export type TypeEntry = {
  name: string;
  row: Selectable<ChannelTypesTable>;
  config: ChannelConfig;
  grants(roles: readonly string[]): Grants;
};

/** The channel types as rights are read from them. */
export type TypeSource = {
  get(db: Db, name: string): Promise<TypeEntry>;
  all(db: Db): Promise<ReadonlyMap<string, TypeEntry>>;
};
