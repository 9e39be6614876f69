import { type Expression, type SqlBool, sql } from 'kysely';
import { asList, type Bound, type FilterValue, isBound, type Operator, type Scalar } from './operators.ts';

export type SqlType = 'text' | 'bigint' | 'double precision' | 'numeric' | 'boolean' | 'timestamptz';

export interface Column {
  readonly expression: Expression<unknown>;
  readonly sqlType: SqlType;
  /** A stored tsvector to search instead of one computed from the text. */
  readonly tsvector?: Expression<unknown>;
}

const SYMBOLS: Readonly<Record<Bound, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

export function boundSymbol(bound: Bound) {
  return sql.raw(SYMBOLS[bound]);
}

export function negate(condition: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`((${condition}) is not true)`;
}

// A fraction cast to bigint raises; compared as numeric it is merely unequal, at the price of the index.
function castFor(column: Column, values: readonly Scalar[]) {
  const fraction = column.sqlType === 'bigint' && !values.every(Number.isSafeInteger);
  return sql.raw(fraction ? 'numeric' : column.sqlType);
}

function equals(column: Column, value: Scalar): Expression<SqlBool> {
  if (value === null) return sql<SqlBool>`(${column.expression} is null)`;
  return sql<SqlBool>`(${column.expression} = ${value}::${castFor(column, [value])})`;
}

function isIn(column: Column, values: readonly Scalar[]): Expression<SqlBool> {
  const present = values.filter((value) => value !== null);
  const any = sql<SqlBool>`(${column.expression} = any(${present}::${castFor(column, present)}[]))`;
  return present.length === values.length ? any : sql<SqlBool>`(${any} or ${column.expression} is null)`;
}

const MARKS = /[!-/:-@[-`{-~]/g;

/** Letters with the accents that people leave out when they look for a name. */
const ACCENTED = Object.fromEntries(
  'aàáâãäåāăą cçćč dďđ eèéêëēęě gğ iìíîïīıį lł nñńň oòóôõöøōő rř sśšşș tťțţ uùúûüūůű yýÿ zźżž'
    .split(' ')
    .map((letters) => [letters.charAt(0), letters]),
);

const anyAccent = (letter: string): string => {
  const accented = ACCENTED[letter.normalize('NFD').charAt(0).toLowerCase()];
  return accented === undefined ? letter.replace(MARKS, '\\$&') : `[${accented}${letter}]`;
};

/** Prefix of any word without regard to case and accents; a pattern that pg_trgm indexes serve. */
function startsWord(column: Column, prefix: string): Expression<SqlBool> {
  const letters = Array.from(prefix.trim().normalize('NFC'), anyAccent);
  const pattern = `(^|[^[:alnum:]])${letters.join('')}`;
  return sql<SqlBool>`(${column.expression} ~* ${pattern}::text)`;
}

function hasWords(column: Column, words: string): Expression<SqlBool> {
  const vector = column.tsvector ?? sql`to_tsvector('simple', ${column.expression})`;
  return sql<SqlBool>`(${vector} @@ websearch_to_tsquery('simple', ${words}::text))`;
}

/** `value` has been checked against the operator's shape before. */
export function compileColumn(column: Column, operator: Operator, value: FilterValue): Expression<SqlBool> {
  const [first = null] = asList(value);
  if (isBound(operator)) {
    return sql<SqlBool>`(${column.expression} ${boundSymbol(operator)} ${first}::${castFor(column, [first])})`;
  }
  if (operator === '$in') return isIn(column, asList(value));
  if (operator === '$nin') return negate(isIn(column, asList(value)));
  if (operator === '$exists') return first === true ? negate(equals(column, null)) : equals(column, null);
  if (operator === '$autocomplete') return startsWord(column, String(first));
  if (operator === '$q') return hasWords(column, String(first));
  return operator === '$ne' ? negate(equals(column, first)) : equals(column, first);
}
