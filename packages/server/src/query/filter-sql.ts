import { type Expression, type SqlBool, sql } from 'kysely';
import { negate } from './column-sql.ts';
import type { FilterNode } from './filter.ts';

/** The filter as a condition for `.where(…)`: names from the declared fields, values only as parameters. */
export function compileFilter<C>(node: FilterNode<C>, context: C): Expression<SqlBool> {
  if (node.kind === 'leaf') return node.field.compile(node.operator, node.value, context);
  if (node.nodes.length === 0) return sql<SqlBool>`true`;
  const conditions = node.nodes.map((each) => compileFilter(each, context));
  if (node.kind === '$and') return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
  const any = sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
  return node.kind === '$or' ? any : negate(any);
}
