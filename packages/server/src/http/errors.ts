import {
  type ErrorBody,
  type ErrorDetail,
  fieldText,
  idRule,
  invalid,
  limits,
  ParleyError,
  texts,
} from '@parley/protocol';
import type { FastifyBaseLogger, FastifyError, FastifySchemaValidationError } from 'fastify';

type AjvError = FastifySchemaValidationError & { parentSchema?: { errorText?: string }; data?: unknown };

const pathOf = (error: AjvError): string => {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const { missingProperty, additionalProperty } = error.params;
  const leaf = missingProperty ?? additionalProperty;
  return [path, leaf].filter(Boolean).join('.');
};

const messageOf = (error: AjvError): string => {
  const text = error.parentSchema?.errorText;
  // One schema holds both rules of a channel's id, and only the colon has words that are fixed.
  if (text === texts.channelIdColon && !String(error.data).includes(':')) return idRule;
  if (text !== undefined && ['pattern', 'format', 'minLength', 'maxLength'].includes(error.keyword))
    return text;
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not known here';
  const { allowedValues } = error.params;
  if (error.keyword === 'enum' && Array.isArray(allowedValues))
    return `must be one of ${allowedValues.join(', ')}`;
  return error.message ?? 'is not valid';
};

const tooLong = (error: AjvError): boolean =>
  error.keyword === 'maxLength' && error.params.limit === limits.textLength;

/** The findings of the validator as the protocol's error: every field by its path. */
export const validationError = (errors: FastifySchemaValidationError[], where: string): ParleyError => {
  // A union fails in each of its branches and then as a whole; the whole adds nothing to the branches.
  const specific = errors.filter((error) => error.keyword !== 'anyOf');
  const details: ErrorDetail[] = (specific.length > 0 ? specific : errors).slice(0, 20).map((error) => ({
    path: pathOf(error) || where,
    message: messageOf(error),
  }));
  const first = details[0];
  const text = first && fieldText(first.path, first.message);
  return new ParleyError(errors.some(tooLong) ? 'PayloadTooLarge' : 'InputInvalid', text, details);
};

/** An error with whatever the framework, the driver or Node may have added. */
type Thrown = Error & Partial<Pick<FastifyError, 'code' | 'statusCode' | 'validation' | 'validationContext'>>;

const fromFastify = (error: Thrown): ParleyError | undefined => {
  if (error.validation) return validationError(error.validation, error.validationContext ?? 'body');
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ParleyError('PayloadTooLarge', 'The body is over 1 MiB');
  // The text of the framework would give back thousands of characters.
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return invalid('path', 'a part of it is too long');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ParleyError('InputInvalid', 'The body must be JSON', [
      { path: 'content-type', message: 'must be application/json' },
    ]);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new ParleyError(error.statusCode === 404 ? 'NotFound' : 'InputInvalid', error.message);
  return undefined;
};

/** The database is away, starting, full or took too long: a later try may well succeed. */
const away = /^(57014|57P0[1-5]|53\d{3}|08\w{3}|25P03|55P03|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of the driver that carry no code. */
const awayTexts = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
];

const isAway = ({
  code,
  syscall,
  message,
}: {
  code?: unknown;
  syscall?: unknown;
  message?: string;
}): boolean =>
  typeof code === 'string'
    ? away.test(code) || (code === 'ENOENT' && syscall === 'connect')
    : awayTexts.some((text) => message?.startsWith(text));

/** PostgreSQL's refusals of values that slipped past validation are the caller's mistake, not ours. */
const fromDatabase = (error: { code?: string; message?: string }): ParleyError | undefined => {
  if (error.code === '22021' || error.code === '22P05')
    return new ParleyError('InputInvalid', 'A text holds characters that cannot be stored');
  if (error.code === '54001') return new ParleyError('QueryTooComplex');
  if (isAway(error)) return new ParleyError('Unavailable');
  return undefined;
};

/** The protocol's error for whatever was thrown; undefined for a fault of ours. */
export const toParleyError = (error: unknown): ParleyError | undefined => {
  if (error instanceof ParleyError) return error;
  if (!(error instanceof Error)) return undefined;
  const thrown: Thrown = error;
  return fromFastify(thrown) ?? fromDatabase(thrown);
};

/** The error in the answer to the caller; faults of ours are logged. */
export const shownError = (
  error: unknown,
  log: FastifyBaseLogger,
  call: { method: string; route: string | undefined; request_id: string },
): ParleyError => {
  const known = toParleyError(error);
  if (!known || known.name === 'Unavailable') log.error({ err: error, ...call }, 'request failed');
  return known ?? new ParleyError('Internal');
};

export const errorBody = (error: ParleyError, requestId: string): ErrorBody => ({
  code: error.code,
  name: error.name,
  message: error.message,
  status: error.status,
  request_id: requestId,
  ...(error.details ? { details: error.details } : {}),
});
