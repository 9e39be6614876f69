import { invalid } from '@parley/protocol';
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

/** Holds one value against its schema where the route's own validation could not (fields of a patch). */
export const checkValue = (schema: TSchema, value: unknown, path: string): void => {
  for (const error of Errors(schema, value)) {
    const at = `${path}${error.instancePath.replaceAll('/', '.')}`;
    throw invalid(at, (schema as { errorText?: string }).errorText ?? error.message);
  }
};
