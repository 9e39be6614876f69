import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isRecord } from '../lib/objects.ts';
import type { ResourceFields, SortColumn, SortRule } from './fields.ts';
import { refusal } from './refusal.ts';

const MAX_SORT = 3;

export interface SortKey<C> extends SortRule {
  readonly column: SortColumn<C>;
}

function invalid(path: string, message: string): Error {
  return refusal({ path, message });
}

function sortableNames<C>(fields: ResourceFields<C>): string {
  return fields.names.filter((name) => fields.find(name)?.sort).join(' ');
}

function keyFor<C>(fields: ResourceFields<C>, rule: SortRule, path: string): SortKey<C> {
  const column = fields.find(rule.field)?.sort;
  if (column) return { ...rule, column };
  throw invalid(
    `${path}.field`,
    `does not name a sortable field of ${fields.resource}; allowed: ${sortableNames(fields)}`,
  );
}

function parseRule(raw: unknown, path: string): SortRule {
  if (!isRecord(raw)) {
    throw invalid(path, 'must be an object with field and direction');
  }
  const { field, direction, ...rest } = raw;
  if (typeof field !== 'string') throw invalid(`${path}.field`, 'must be the name of a field');
  if (direction !== 1 && direction !== -1) throw invalid(`${path}.direction`, 'must be 1 or -1');
  if (Object.keys(rest).length > 0) throw invalid(path, 'must hold only field and direction');
  return { field, direction };
}

function parseRules(raw: unknown): readonly SortRule[] {
  if (!Array.isArray(raw)) throw invalid('sort', 'must be a list of {field, direction}');
  if (raw.length > MAX_SORT) throw invalid('sort', `must hold at most ${MAX_SORT} fields`);
  return raw.map((each: unknown, index) => parseRule(each, `sort[${index}]`));
}

/** The keys to sort by, always ending with the tie-breaker in the direction of the key before it. */
export function parseSort<C>(raw: unknown, fields: ResourceFields<C>): SortKey<C>[] {
  const asked = raw === undefined || raw === null ? [] : parseRules(raw);
  const rules = asked.length > 0 ? asked : fields.defaultSort;
  const keys: SortKey<C>[] = [];
  for (const [index, rule] of rules.entries()) {
    const path = `sort[${index}]`;
    if (keys.some((key) => key.field === rule.field)) throw invalid(`${path}.field`, 'is named twice');
    keys.push(keyFor(fields, rule, path));
  }
  const unique = keys.findIndex((key) => key.field === fields.tieBreaker);
  if (unique >= 0) return keys.slice(0, unique + 1);
  return [
    ...keys,
    keyFor(fields, { field: fields.tieBreaker, direction: keys.at(-1)?.direction ?? 1 }, 'sort'),
  ];
}

/** The `order by` list: rows without a value come last in both directions. */
export function orderBy<C>(keys: readonly SortKey<C>[], context: C): Expression<unknown> {
  const parts = keys.map(({ column, direction }) => {
    const way = direction === 1 ? 'asc' : 'desc';
    return sql`${column.expression(context)} ${sql.raw(column.nullable ? `${way} nulls last` : way)}`;
  });
  return sql.join(parts);
}

/** The row's sort values as one JSON text; as text they keep the precision that Date and number would lose. */
export function sortValues<C>(keys: readonly SortKey<C>[], context: C): RawBuilder<string> {
  const parts = keys.map(({ column }) => sql`${column.expression(context)}::text`);
  return sql<string>`json_build_array(${sql.join(parts)})::text`;
}

interface Position {
  readonly expression: Expression<unknown>;
  readonly value: Expression<unknown> | null;
  readonly nullable: boolean;
  readonly direction: 1 | -1;
}

function isSame({ expression, value }: Position): Expression<unknown> {
  return value === null ? sql`${expression} is null` : sql`${expression} = ${value}`;
}

function comesAfter({ expression, value, nullable, direction }: Position): Expression<unknown> {
  const beyond = sql`${expression} ${sql.raw(direction === 1 ? '>' : '<')} ${value}`;
  return nullable ? sql`(${beyond} or ${expression} is null)` : beyond;
}

function rowsAfter(positions: readonly Position[], symbol: '>' | '<'): Expression<SqlBool> {
  const columns = sql.join(positions.map((each) => each.expression));
  const values = sql.join(positions.map((each) => each.value));
  return sql<SqlBool>`((${columns}) ${sql.raw(symbol)} (${values}))`;
}

/** The rows that come after the one with these sort values. */
export function after<C>(
  keys: readonly SortKey<C>[],
  values: readonly (string | null)[],
  context: C,
): Expression<SqlBool> {
  const positions = keys.map(({ column, direction }, index): Position => {
    const value = values[index] ?? null;
    const cast = sql.raw(column.sqlType);
    return {
      expression: column.expression(context),
      value: value === null ? null : sql`${value}::${cast}`,
      nullable: column.nullable,
      direction,
    };
  });
  const oneWay = positions.every((each) => !each.nullable && each.direction === positions[0]?.direction);
  if (oneWay) return rowsAfter(positions, positions[0]?.direction === 1 ? '>' : '<');
  const steps = positions.flatMap((position, index) => {
    if (position.value === null) return [];
    const conditions = [...positions.slice(0, index).map(isSame), comesAfter(position)];
    return [sql`(${sql.join(conditions, sql` and `)})`];
  });
  return sql<SqlBool>`(${sql.join(steps, sql` or `)})`;
}
