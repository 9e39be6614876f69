import { ParleyError } from '@parley/protocol/errors';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type PageRequest, queryPage } from './page.ts';
import { things } from './test-generators.ts';
import { openThings, type Thing, thingFields } from './test-things.ts';

const SORTABLE = ['id', 'name', 'size', 'weight', 'open', 'at', 'secret'];
const options = { fields: thingFields, context: { actorId: 'me' }, cursorKey: 'a key of the server' };

let table: Awaited<ReturnType<typeof openThings>>;

beforeAll(async () => {
  table = await openThings();
});
afterEach(() => sql`truncate things`.execute(table.db));
afterAll(() => table.close());

function page(request: PageRequest, more: { scope?: string } = {}) {
  return queryPage(table.db.selectFrom('things').select('things.id'), request, { ...options, ...more });
}

async function walk(request: PageRequest, between: (turn: number) => Promise<void> = async () => {}) {
  const ids: string[] = [];
  let next: string | undefined;
  let turn = 0;
  do {
    const found = await page({ ...request, next });
    ids.push(...found.rows.map((row) => row.id));
    next = found.next;
    await between(turn);
    turn += 1;
  } while (next !== undefined);
  return ids;
}

const rule = fc.record({ field: fc.constantFrom(...SORTABLE), direction: fc.constantFrom(1, -1) });
const sort = fc.uniqueArray(rule, { maxLength: 3, selector: (each) => each.field });
const limit = fc.integer({ min: 1, max: 7 });

function column(thing: Thing, field: string): string | number | boolean | null {
  return field === 'secret' ? thing.owner : (thing[field as keyof Thing] as string | number | boolean | null);
}

function inOrder(list: readonly Thing[], asked: { field: string; direction: number }[]): string[] {
  const rules = asked.length > 0 ? asked : [{ field: 'at', direction: -1 }];
  const keys = [...rules, { field: 'id', direction: rules.at(-1)?.direction ?? 1 }];
  const compare = (left: Thing, right: Thing) => {
    for (const { field, direction } of keys) {
      const [a, b] = [column(left, field), column(right, field)];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b ? -direction : direction;
    }
    return 0;
  };
  return [...list].sort(compare).map((thing) => thing.id);
}

test('pages put together are the whole list in its order', async () => {
  await fc.assert(
    fc.asyncProperty(things('t', { minLength: 0, maxLength: 20 }), sort, limit, async (list, rules, size) => {
      await sql`truncate things`.execute(table.db);
      await table.insert(list);

      expect(await walk({ sort: rules, limit: size })).toEqual(inOrder(list, rules));
    }),
    { numRuns: 120 },
  );
});

test('rows written between pages neither hide nor repeat the others', async () => {
  const stored = things('t', { minLength: 1, maxLength: 12 });
  const later = fc.array(things('u', { minLength: 0, maxLength: 3 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(stored, later, sort, limit, async (list, batches, rules, size) => {
      await sql`truncate things`.execute(table.db);
      await table.insert(list);
      const insertMore = async (turn: number) =>
        table.insert((batches[turn] ?? []).map((thing) => ({ ...thing, id: `${thing.id}-${turn}` })));

      const ids = await walk({ sort: rules, limit: size }, insertMore);

      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => id.startsWith('t'))).toEqual(inOrder(list, rules));
    }),
    { numRuns: 80 },
  );
});

async function insertNumbered(count: number) {
  const [thing] = fc.sample(things('t', { minLength: 1, maxLength: 1 }), { numRuns: 1, seed: 1 })[0] ?? [];
  if (!thing) throw new Error('no sample');
  await table.insert(
    Array.from({ length: count }, (_, index) => ({ ...thing, id: `n${index}`, size: index })),
  );
}

test('a page holds ten rows unless asked, only the selected columns, and no next at the end', async () => {
  await insertNumbered(15);

  const first = await page({ filter: { size: { $lt: 12 } }, sort: [{ field: 'size', direction: 1 }] });
  const { next } = first;
  const second = await page({ filter: { size: { $lt: 12 } }, sort: [{ field: 'size', direction: 1 }], next });

  expect(first.rows).toEqual(Array.from({ length: 10 }, (_, index) => ({ id: `n${index}` })));
  expect(second).toEqual({ rows: [{ id: 'n10' }, { id: 'n11' }] });
});

test('a cursor of another filter, sort or scope is refused', async () => {
  await insertNumbered(3);
  const { next } = await page({ limit: 1 });
  const another = /next belongs to another query/;

  await expect(page({ limit: 2, next })).resolves.toBeDefined();
  await expect(page({ next, filter: { size: 1 } })).rejects.toThrow(another);
  await expect(page({ next, sort: [{ field: 'id', direction: 1 }] })).rejects.toThrow(another);
  await expect(page({ next }, { scope: 'elsewhere' })).rejects.toThrow(another);
});

test.each([
  [{ limit: 0 }, 'limit'],
  [{ limit: 101 }, 'limit'],
  [{ limit: 1.5 }, 'limit'],
  [{ limit: '10' }, 'limit'],
  [{ next: '' }, 'next'],
  [{ sort: 'name' }, 'sort'],
  [{ sort: [{ field: 'name' }] }, 'sort[0].direction'],
  [{ sort: [{ field: 'color', direction: 1 }] }, 'sort[0].field'],
  [{ sort: [{ field: 'tags', direction: 1 }] }, 'sort[0].field'],
  [
    {
      sort: [
        { field: 'name', direction: 1 },
        { field: 'name', direction: -1 },
      ],
    },
    'sort[1].field',
  ],
  [{ sort: ['id', 'name', 'at', 'size'].map((field) => ({ field, direction: 1 })) }, 'sort'],
])('%j is refused at %s', async (request, path) => {
  const error: unknown = await page(request).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject({ name: 'InputInvalid', details: [{ path }] });
});
