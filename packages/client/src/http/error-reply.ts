import {
  type ErrorBody,
  type ErrorDetail,
  type ErrorName,
  errorTable,
  ParleyError,
} from '@parley/protocol/errors';

const byStatus: Record<number, ErrorName> = {
  400: 'InputInvalid',
  401: 'AuthenticationFailed',
  403: 'NotAllowed',
  404: 'NotFound',
  409: 'DuplicateId',
  413: 'PayloadTooLarge',
  429: 'RateLimited',
};

const isName = (name: unknown): name is ErrorName =>
  typeof name === 'string' && Object.hasOwn(errorTable, name);

/** A body that is not ours (a proxy's page) still becomes an error of the table, by its status. */
export const errorFromBody = (body: unknown, status: number, requestId?: string | null): ParleyError => {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const name = isName(said.name) ? said.name : (byStatus[status] ?? 'Internal');
  const details = Array.isArray(said.details) ? (said.details as ErrorDetail[]) : undefined;
  return new ParleyError(name, said.message, details, said.request_id ?? requestId ?? undefined);
};

/** Undefined for what is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
