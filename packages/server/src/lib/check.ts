import { invalid, limits, ParleyError, type RecordSchema } from '@parley/protocol';
import type { TUnsafe } from 'typebox';
import { Errors } from 'typebox/value';

/** Holds one value against its schema where the route's own validation could not (fields of a patch). */
export function checkValue<T>(schema: TUnsafe<T>, value: unknown, path: string): asserts value is T {
  for (const error of Errors(schema, value)) {
    const at = `${path}${error.instancePath.replaceAll('/', '.')}`;
    if (error.keyword === 'maxLength' && error.params.limit === limits.textLength)
      throw new ParleyError('PayloadTooLarge', `${at}: ${error.message}`, [
        { path: at, message: error.message },
      ]);
    throw invalid(at, Reflect.get(schema, 'errorText') ?? error.message);
  }
}

/** The known fields of a patch; null takes one back to how a new record has it. */
export type Patched<T> = { [K in keyof T]?: Exclude<T[K], undefined> | null };

/** Holds these fields of a patch against the schema of their record, which gives them their types. */
export const checkPatched = <T, K extends keyof T & string>(
  { properties }: RecordSchema<T>,
  keys: readonly K[],
  known: Record<string, unknown>,
): Patched<Pick<T, K>> => {
  const checked: Patched<Pick<T, K>> = {};
  for (const key of keys) {
    const value = known[key];
    if (value === undefined) continue;
    if (value !== null) checkValue(properties[key], value, `set.${key}`);
    checked[key] = value;
  }
  return checked;
};

/** A field after a patch: as given, as it was where the patch does not name it, and `empty` where the patch takes it back. */
export const patchedValue = <T>(given: T | null | undefined, current: T, empty: T): T =>
  given === undefined ? current : (given ?? empty);
