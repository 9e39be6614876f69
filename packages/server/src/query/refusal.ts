import { type ErrorDetail, ParleyError } from '@parley/protocol/errors';

/** InputInvalid for parts of a query, its message the first of them: `limit must be …`. */
export function refusal(first: ErrorDetail, ...others: ErrorDetail[]): ParleyError {
  return new ParleyError('InputInvalid', `${first.path} ${first.message}`, [first, ...others]);
}
