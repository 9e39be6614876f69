import { limits } from '@parley/protocol/limits';
import type { SelectQueryBuilder } from 'kysely';
import { type CursorKey, type CursorOwner, type CursorValues, decodeCursor, encodeCursor } from './cursor.ts';
import type { QueryContext, ResourceFields } from './fields.ts';
import { canonicalFilter, parseFilter } from './filter.ts';
import { compileFilter } from './filter-sql.ts';
import { refusal } from './refusal.ts';
import { after, orderBy, parseSort, sortValues } from './sort.ts';

const POSITION = 'page_position';

/** A request as it came over the wire, unchecked. */
export interface PageRequest {
  readonly filter?: unknown;
  readonly sort?: unknown;
  readonly limit?: unknown;
  readonly next?: unknown;
}

export interface PageOptions<C extends QueryContext> {
  readonly fields: ResourceFields<C>;
  readonly context: C;
  readonly cursorKey: CursorKey;
  readonly defaultLimit?: number;
  /** The scope of the query, such as the message whose reactions are listed: its cursors fit no other. */
  readonly scope?: string;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly next?: string;
}

function parseLimit(raw: unknown, otherwise: number): number {
  if (raw === undefined || raw === null) return otherwise;
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= 1 && raw <= limits.pageMax) return raw;
  throw refusal({ path: 'limit', message: `must be a whole number from 1 to ${limits.pageMax}` });
}

interface Positioned {
  readonly [POSITION]: string;
}

function withoutPosition<O>(row: O & Positioned): O {
  const { [POSITION]: _, ...rest } = row;
  return rest as O;
}

/**
 * Runs one page of `query`, which selects its columns, joins and narrows by permission, but has no order, limit or
 * grouping of its own. Rows that do not change are seen exactly once, whatever is written between the pages.
 */
export async function queryPage<DB, TB extends keyof DB, O, C extends QueryContext>(
  query: SelectQueryBuilder<DB, TB, O>,
  request: PageRequest,
  options: PageOptions<C>,
): Promise<Page<O>> {
  const { fields, context, cursorKey } = options;
  const filter = parseFilter(request.filter, fields);
  const keys = parseSort(request.sort, fields);
  const limit = parseLimit(request.limit, options.defaultLimit ?? limits.pageDefault);
  const owner: CursorOwner = {
    resource: fields.resource,
    scope: options.scope ?? '',
    filter: canonicalFilter(filter),
    sort: JSON.stringify(keys.map(({ field, direction }) => [field, direction])),
    actorId: context.actorId,
  };

  let selection = query.where(compileFilter(filter, context));
  if (request.next !== undefined && request.next !== null) {
    selection = selection.where(after(keys, decodeCursor(request.next, owner, cursorKey), context));
  }
  const found = await selection
    .select(sortValues(keys, context).as(POSITION))
    .orderBy(orderBy(keys, context))
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit) as (O & Positioned)[];
  const last = rows.at(-1);
  const page = rows.map(withoutPosition<O>);
  if (found.length <= limit || !last) return { rows: page };
  const values: CursorValues = JSON.parse(last[POSITION]);
  return { rows: page, next: encodeCursor(values, owner, cursorKey) };
}
