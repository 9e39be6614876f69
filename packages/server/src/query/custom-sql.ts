import { type Expression, type SqlBool, sql } from 'kysely';
import { boundSymbol, negate } from './column-sql.ts';
import { asList, type Bound, type FilterValue, isBound, type Operator, type Scalar } from './operators.ts';

export interface CustomKey {
  /** The jsonb column that holds the custom data. */
  readonly data: Expression<unknown>;
  readonly key: string;
}

function isMissing({ data, key }: CustomKey): Expression<SqlBool> {
  return sql<SqlBool>`((${data} ->> ${key}::text) is null)`;
}

function contains({ data, key }: CustomKey, value: Scalar | readonly Scalar[]): Expression<SqlBool> {
  return sql<SqlBool>`(${data} @> ${JSON.stringify({ [key]: value })}::jsonb)`;
}

function equals(custom: CustomKey, value: Scalar): Expression<SqlBool> {
  return value === null ? isMissing(custom) : contains(custom, value);
}

function isIn(custom: CustomKey, values: readonly Scalar[]): Expression<SqlBool> {
  const present = values.filter((value) => value !== null);
  const documents = present.map((value) => JSON.stringify({ [custom.key]: value }));
  const any = sql<SqlBool>`(${custom.data} @> any(${documents}::jsonb[]))`;
  return present.length === values.length ? any : sql<SqlBool>`(${any} or ${isMissing(custom)})`;
}

// CASE, not AND: PostgreSQL may evaluate either side of AND first, and the cast of a text to numeric raises.
function compares({ data, key }: CustomKey, bound: Bound, value: Scalar): Expression<SqlBool> {
  const kind = sql`jsonb_typeof(${data} -> ${key}::text)`;
  const text = sql`(${data} ->> ${key}::text)`;
  const symbol = boundSymbol(bound);
  if (typeof value === 'number') {
    return sql<SqlBool>`(case when ${kind} = 'number' then ${text}::numeric ${symbol} ${value}::numeric else false end)`;
  }
  return sql<SqlBool>`(case when ${kind} = 'string' then ${text} collate "C" ${symbol} ${value}::text else false end)`;
}

/** `value` has been checked against `CUSTOM_SHAPES` before. */
export function compileCustom(
  custom: CustomKey,
  operator: Operator,
  value: FilterValue,
): Expression<SqlBool> {
  const list = asList(value);
  const [first = null] = list;
  if (isBound(operator)) return compares(custom, operator, first);
  if (operator === '$in') return isIn(custom, list);
  if (operator === '$nin') return negate(isIn(custom, list));
  if (operator === '$exists') return first === true ? negate(isMissing(custom)) : isMissing(custom);
  if (operator === '$contains') return contains(custom, [first]);
  return operator === '$ne' ? negate(equals(custom, first)) : equals(custom, first);
}
