import { limits } from '@parley/protocol/limits';
import type { FilterValue, Scalar, ScalarType, Shape } from './operators.ts';

const MAX_LIST = 100;
const MAX_SEARCH = 500;

type Parsed<T> = { value: T } | { problem: string; at?: number };

const WORDS: Readonly<Record<ScalarType, string>> = {
  text: 'a string',
  id: 'a string',
  number: 'a number',
  boolean: 'true or false',
  time: 'an RFC 3339 time such as 2026-01-31T12:00:00.000Z',
  search: `a string of 1 to ${MAX_SEARCH} characters that is not blank`,
  prefix: `a string of 1 to ${limits.prefixLength} characters that is not blank`,
  scalar: 'a string, a number, true or false',
  ordered: 'a string or a number',
};

const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,9}))?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Rewritten as UTC by us: PostgreSQL raises on days and years that a client may well send, such as 02-30 or year 0. */
export function parseTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const daysInMonth = new Date(Date.UTC(2000 + (Number(match[1]) % 400), Number(match[2]), 0)).getUTCDate();
  const day = Number(match[3]);
  const at = Date.parse(text.toUpperCase());
  if (day < 1 || day > daysInMonth || !(at >= FIRST_TIME)) return undefined;
  const iso = new Date(at).toISOString();
  return iso.length === 24 ? `${iso.slice(0, 23)}${(match[5] ?? '').slice(3, 6)}Z` : undefined;
}

/** NUL and lone surrogates cannot be stored by PostgreSQL, which would raise instead of finding nothing. */
function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

function isOfType(type: ScalarType, raw: unknown): raw is Exclude<Scalar, null> {
  const text = typeof raw === 'string';
  const number = typeof raw === 'number' && Number.isFinite(raw);
  if (type === 'number') return number;
  if (type === 'boolean') return typeof raw === 'boolean';
  if (type === 'ordered') return text || number;
  if (type === 'scalar') return text || number || typeof raw === 'boolean';
  if (type === 'prefix')
    return (
      text && raw.trim() !== '' && raw.length <= MAX_SEARCH && Array.from(raw).length <= limits.prefixLength
    );
  if (type === 'search') return text && raw.trim() !== '' && raw.length <= MAX_SEARCH;
  return text;
}

function parseScalar(type: ScalarType, nullable: boolean, raw: unknown): Parsed<Scalar> {
  if (raw === null && nullable) return { value: null };
  const expected = `must be ${WORDS[type]}${nullable ? ', or null' : ''}`;
  if (!isOfType(type, raw)) return { problem: expected };
  if (typeof raw !== 'string') return { value: raw };
  if (!isStorableText(raw)) return { problem: 'must not contain NUL or broken Unicode characters' };
  if (type !== 'time') return { value: raw };
  const time = parseTime(raw);
  return time === undefined ? { problem: expected } : { value: time };
}

function parseList(type: ScalarType, nullable: boolean, raw: unknown): Parsed<readonly Scalar[]> {
  if (!Array.isArray(raw)) return { problem: 'must be a list' };
  if (raw.length > MAX_LIST) return { problem: `must hold at most ${MAX_LIST} values` };
  const values: Scalar[] = [];
  for (const [at, item] of raw.entries()) {
    const parsed = parseScalar(type, nullable, item);
    if ('problem' in parsed) return { problem: parsed.problem, at };
    values.push(parsed.value);
  }
  return { value: values };
}

const SHAPE = /^(\w+)(\?)?(\[\])?$/;

export function parseValue(shape: Shape, raw: unknown): Parsed<FilterValue> {
  const [, type, optional, list] = SHAPE.exec(shape) ?? [];
  const parse = list ? parseList : parseScalar;
  return parse(type as ScalarType, optional !== undefined, raw);
}
