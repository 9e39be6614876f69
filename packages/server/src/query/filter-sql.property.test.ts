import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFilter } from './filter.ts';
import { compileFilter } from './filter-sql.ts';
import { CUSTOM, customScalar, name, size, TAGS, TIMES, things, WORDS } from './test-generators.ts';
import { openThings, type Thing, thingFields } from './test-things.ts';

type Filter = Record<string, unknown>;
type Value = string | number | boolean | null | undefined;

const BOUNDS = ['$gt', '$gte', '$lt', '$lte'] as const;
const clause =
  (field: string, operator: string) =>
  (value: unknown): Filter => ({ [field]: { [operator]: value } });

function comparable(field: string, value: fc.Arbitrary<Value>, ordered: fc.Arbitrary<Value>) {
  const lists = fc.array(value, { maxLength: 3 });
  return fc.oneof(
    value.map((each): Filter => ({ [field]: each })),
    value.map(clause(field, '$ne')),
    lists.map(clause(field, '$in')),
    lists.map(clause(field, '$nin')),
    fc.boolean().map(clause(field, '$exists')),
    fc.tuple(fc.constantFrom(...BOUNDS), ordered).map(([bound, each]): Filter => clause(field, bound)(each)),
    fc.tuple(ordered, ordered).map(([low, high]): Filter => ({ [field]: { $gte: low, $lt: high } })),
  );
}

const time = fc.constantFrom(...TIMES, '2026-01-01T01:00:00+01:00');
const custom = fc.constantFrom(...CUSTOM);
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  comparable('name', name, fc.constantFrom(...WORDS)),
  comparable('size', fc.option(fc.oneof(size, fc.constant(1.5))), fc.oneof(size, fc.constantFrom(0.5, 1e30))),
  comparable('weight', fc.constantFrom(0.1, 1 / 3), fc.constantFrom(0.1, 1 / 3)),
  custom.chain((key) => comparable(key, fc.option(customScalar), fc.constantFrom<Value>('red', 'a', 1, 2))),
  fc.tuple(custom, customScalar).map(([key, value]) => clause(key, '$contains')(value)),
  fc
    .tuple(fc.constantFrom('$eq', '$ne', ...BOUNDS), time)
    .map(([operator, at]) => clause('at', operator)(at)),
  fc
    .tuple(fc.constantFrom('open', 'mine'), fc.boolean())
    .map(([field, value]): Filter => ({ [field]: value })),
  fc
    .constantFrom('an', 'BO', 'neil', 'nna', '100%', 'a_', 'äp', 'ap', '.*')
    .map(clause('name', '$autocomplete')),
  fc.constantFrom('anna', 'BOBBY', 'ann', 'äpfel').map(clause('name', '$q')),
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.subarray(TAGS))
    .map(([operator, tags]) => clause('tags', operator)(tags)),
  fc.constantFrom(...TAGS).map(clause('tags', '$contains')),
  fc.boolean().map(clause('tags', '$exists')),
);

const { filter } = fc.letrec<{ filter: Filter; group: Filter }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('group')),
  group: fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
    .map(([kind, filters]): Filter => ({ [kind]: filters })),
}));

function actualOf(thing: Thing, field: string): unknown {
  if (field === 'mine') return thing.owner === 'me';
  if (Object.hasOwn(thing, field)) return thing[field as keyof Thing];
  return Object.hasOwn(thing.data, field) ? thing.data[field] : null;
}

function wordsOf(value: unknown): string[] {
  return typeof value === 'string' ? value.toLowerCase().split(/[^\p{L}\p{N}]+/u) : [];
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');

function startsWord(value: unknown, prefix: string): boolean {
  if (typeof value !== 'string') return false;
  const text = plain(value);
  const starts = [...text]
    .map((_, at) => at)
    .filter((at) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ''));
  return [...starts, text.length].some((at) => text.startsWith(plain(prefix), at));
}

function compares(operator: string, left: unknown, right: unknown): boolean {
  if (typeof left !== typeof right || left === null) return false;
  const [a, b] = [left as number, right as number];
  return operator === '$gt' ? a > b : operator === '$gte' ? a >= b : operator === '$lt' ? a < b : a <= b;
}

function holds(operator: string, actual: unknown, expected: unknown): boolean {
  const list = expected as unknown[];
  if (operator === '$eq') return actual === expected;
  if (operator === '$in')
    return Array.isArray(actual) ? actual.some((each) => list.includes(each)) : list.includes(actual);
  if (operator === '$ne' || operator === '$nin')
    return !holds(operator === '$ne' ? '$eq' : '$in', actual, expected);
  if (operator === '$exists') return (Array.isArray(actual) ? true : actual !== null) === expected;
  if (operator === '$contains') return Array.isArray(actual) && actual.includes(expected);
  if (operator === '$autocomplete') return startsWord(actual, String(expected));
  if (operator === '$q') return wordsOf(actual).includes(String(expected).toLowerCase());
  return compares(operator, actual, expected);
}

function fieldMatches(thing: Thing, field: string, raw: unknown): boolean {
  const actual = actualOf(thing, field);
  const operators = typeof raw === 'object' && raw !== null ? Object.entries(raw) : [['$eq', raw] as const];
  return operators.every(([operator, value]) => {
    if (field === 'tags' && operator === '$exists') return thing.tags.length > 0 === value;
    if (operator.endsWith('in') && Array.isArray(actual) && field !== 'tags') return operator === '$nin';
    return holds(operator, actual, field === 'at' ? new Date(String(value)).toISOString() : value);
  });
}

function matches(thing: Thing, filter: Filter): boolean {
  return Object.entries(filter).every(([key, raw]) => {
    const each = (one: Filter) => matches(thing, one);
    if (key === '$and') return (raw as Filter[]).every(each);
    if (key === '$or') return (raw as Filter[]).some(each);
    if (key === '$nor') return !(raw as Filter[]).some(each);
    return fieldMatches(thing, key, raw);
  });
}

let table: Awaited<ReturnType<typeof openThings>>;
const stored = fc.sample(things('t', { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 })[0] ?? [];

beforeAll(async () => {
  table = await openThings();
  await table.insert(stored);
});
afterAll(() => table.close());

test('a filter finds in PostgreSQL what it means', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async (raw) => {
      fc.pre((JSON.stringify(raw).match(/\$autocomplete|\$q/g) ?? []).length <= 2);
      const condition = compileFilter(parseFilter(raw, thingFields), { actorId: 'me' });
      const found = await table.db
        .selectFrom('things')
        .select('id')
        .where(condition)
        .orderBy('seq')
        .execute();

      const expected = stored.filter((thing) => matches(thing, raw)).map((thing) => thing.id);
      expect(found.map((row) => row.id)).toEqual(expected);
    }),
    { numRuns: 600 },
  );
});

test('any text is safe as a value', async () => {
  const anywhere = fc.constantFrom('name', 'id', 'color');
  const operators = fc.constantFrom('$eq', '$ne', '$gt', '$in');
  await fc.assert(
    fc.asyncProperty(anywhere, operators, fc.string({ unit: 'grapheme' }), async (field, operator, text) => {
      fc.pre(!text.includes('\0'));
      const raw = { [field]: { [operator]: operator === '$in' ? [text] : text } };
      const condition = compileFilter(parseFilter(raw, thingFields), { actorId: 'me' });
      await table.db.selectFrom('things').select('id').where(condition).execute();
    }),
    { numRuns: 100 },
  );
});

test('any text is safe to search for', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 500 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('$q', '$autocomplete'), text, async (operator, value) => {
      fc.pre(!value.includes('\0') && value.trim() !== '' && value.length <= (operator === '$q' ? 500 : 64));
      const condition = compileFilter(parseFilter({ name: { [operator]: value } }, thingFields), {
        actorId: null,
      });
      await table.db.selectFrom('things').select('id').where(condition).execute();
    }),
    { numRuns: 80 },
  );
});

test('any number is safe as a value', async () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());
  const operators = fc.constantFrom('$eq', '$ne', '$gt', '$in');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('size', 'weight', 'level'),
      operators,
      number,
      async (field, operator, value) => {
        const raw = { [field]: { [operator]: operator === '$in' ? [value, 1] : value } };
        const condition = compileFilter(parseFilter(raw, thingFields), { actorId: null });
        await table.db.selectFrom('things').select('id').where(condition).execute();
      },
    ),
    { numRuns: 100 },
  );
});
