import { invalid, limits, ParleyError } from '@parley/protocol';
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

/** Holds one value against its schema where the route's own validation could not (fields of a patch). */
export const checkValue = (schema: TSchema, value: unknown, path: string): void => {
  for (const error of Errors(schema, value)) {
    const at = `${path}${error.instancePath.replaceAll('/', '.')}`;
    const { limit } = error.params as { limit?: number };
    if (error.keyword === 'maxLength' && limit === limits.textLength)
      throw new ParleyError('PayloadTooLarge', `${at}: ${error.message}`, [
        { path: at, message: error.message },
      ]);
    throw invalid(at, (schema as { errorText?: string }).errorText ?? error.message);
  }
};
