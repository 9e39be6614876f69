import { invalid, limits, ParleyError } from '@parley/protocol';

type ObjectSchema = { properties: Record<string, unknown> };

/** The keys of a record that a caller may set, and those that are the server's. The rest is custom data. */
export type Shape = { known: ReadonlySet<string>; reserved: ReadonlySet<string> };

/** Keys of users, permissions and the log. On any other record such a name would look as if it applied there. */
const everywhere = [
  'role',
  'channel_role',
  'banned',
  'deactivated_at',
  'revoke_tokens_issued_before',
  'own_capabilities',
  'permissions',
  'log_id',
  'seq',
  'own_version',
];

/** `more` are names that no record shows but that mean something: stored as custom data they would look as if they held. */
export const shapeOf = (input: ObjectSchema, record: ObjectSchema, more: readonly string[] = []): Shape => {
  const known = new Set(Object.keys(input.properties));
  const names = [...Object.keys(record.properties), ...everywhere, ...more];
  return { known, reserved: new Set(names.filter((key) => !known.has(key))) };
};

export const refuseReserved = (key: string, shape: Shape, path: string): void => {
  if (shape.reserved.has(key)) throw invalid(`${path}.${key}`, `${key} is set by the server`);
};

export const checkCustomSize = (custom: object, path: string): void => {
  const bytes = Buffer.byteLength(JSON.stringify(custom));
  if (bytes > limits.customBytes)
    throw invalid(path, `custom data may take ${limits.customBytes} bytes, this takes ${bytes}`);
};

/** The custom data of what a caller sent. Refuses server-set keys by name, and more than 5 KiB. */
export const customOf = <T extends object>(value: T, shape: Shape, path: string): Record<string, unknown> => {
  let custom: Record<string, unknown> | undefined;
  for (const key in value) {
    if (shape.known.has(key)) continue;
    refuseReserved(key, shape, path);
    custom ??= {};
    custom[key] = value[key];
  }
  if (custom === undefined) return {};
  checkCustomSize(custom, path);
  return custom;
};

export type PatchBody = { set?: Record<string, unknown>; unset?: string[] };

/** Splits a `{set, unset}` body into known fields and the new custom data. */
export const applyPatch = (patch: PatchBody, current: Record<string, unknown>, shape: Shape) => {
  const known: Record<string, unknown> = {};
  const custom = { ...current };
  for (const [key, value] of Object.entries(patch.set ?? {})) {
    refuseReserved(key, shape, 'set');
    if (shape.known.has(key)) known[key] = value;
    else custom[key] = value;
  }
  for (const key of patch.unset ?? []) {
    refuseReserved(key, shape, 'unset');
    if (patch.set && Object.hasOwn(patch.set, key))
      throw invalid(`unset.${key}`, `${key} is both set and unset`);
    if (shape.known.has(key)) known[key] = null;
    else delete custom[key];
  }
  if (Object.keys(patch.set ?? {}).length + (patch.unset ?? []).length === 0)
    throw new ParleyError('InputInvalid', 'Nothing to change', [
      { path: 'set', message: 'set or unset is required' },
    ]);
  checkCustomSize(custom, 'set');
  return { known, custom };
};
