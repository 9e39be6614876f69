import { ParleyError } from '@parley/protocol/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineFields, idField, textField } from './fields.ts';
import { canonicalFilter, parseFilter } from './filter.ts';
import { parseSort } from './sort.ts';
import { thingFields } from './test-things.ts';

function refused(raw: unknown, fields = thingFields): ParleyError {
  try {
    parseFilter(raw, fields);
  } catch (error) {
    if (error instanceof ParleyError) return error;
    throw error;
  }
  throw new Error('the filter was accepted');
}

function nested(levels: number): unknown {
  let filter: unknown = { name: 'x' };
  for (let level = 0; level < levels; level += 1) filter = { [level % 2 ? '$and' : '$or']: [filter] };
  return filter;
}

const TEXT_OPERATORS = '$eq $ne $exists $in $nin $gt $gte $lt $lte $autocomplete $q';

test.each([
  [{ $and: [{}, { name: { $foo: 1 } }] }, 'filter.$and[1].name.$foo', `allowed: ${TEXT_OPERATORS}`],
  [{ 'name;--': 1 }, 'filter.name;--', 'not a filterable field of things; allowed: id name size'],
  [{ secret: 'x' }, 'filter.secret', 'not a filterable field'],
  [{ $not: [{}] }, 'filter.$not', 'not a filterable field'],
  [{ name: 5 }, 'filter.name', 'must be a string, or null'],
  [{ name: ['x'] }, 'filter.name', 'must be a string, or null'],
  [{ name: {} }, 'filter.name', 'must be a value or hold an operator'],
  [{ name: { $gt: null } }, 'filter.name.$gt', 'must be a string'],
  [{ name: { $in: 'x' } }, 'filter.name.$in', 'must be a list'],
  [{ name: { $in: ['x', 5] } }, 'filter.name.$in[1]', 'must be a string, or null'],
  [{ name: 'a\0b' }, 'filter.name', 'NUL'],
  [{ color: '\ud800' }, 'filter.color', 'broken Unicode'],
  [{ name: { $q: ' ' } }, 'filter.name.$q', 'not blank'],
  [{ name: { $exists: 1 } }, 'filter.name.$exists', 'true or false'],
  [{ size: '1' }, 'filter.size', 'must be a number'],
  [{ size: Number.POSITIVE_INFINITY }, 'filter.size', 'must be a number'],
  [{ at: { $gt: 'yesterday' } }, 'filter.at.$gt', 'RFC 3339'],
  [{ open: { $gt: true } }, 'filter.open.$gt', 'allowed: $eq $ne $exists'],
  [{ tags: 'red' }, 'filter.tags', 'allowed: $in $nin $contains $exists'],
  [{ color: { $q: 'red' } }, 'filter.color.$q', 'is not an operator of color'],
  [{ $or: [] }, 'filter.$or', 'at least one'],
  [{ $or: { name: 'x' } }, 'filter.$or', 'must be a list'],
  [{ $or: [[]] }, 'filter.$or[0]', 'must be an object'],
  [[], 'filter', 'must be an object'],
])('%j is refused at %s', (raw, path, message) => {
  const error = refused(raw);

  expect(error.name).toBe('InputInvalid');
  expect(error.details?.[0]?.path).toBe(path);
  expect(error.details?.[0]?.message).toContain(message);
  expect(error.message).toContain(path);
});

test('lists and searches have a longest length', () => {
  const list = refused({ name: { $in: Array(101).fill('x') } });
  const search = refused({ name: { $autocomplete: 'x'.repeat(501) } });

  expect(list.details).toEqual([{ path: 'filter.name.$in', message: 'must hold at most 100 values' }]);
  expect(search.details?.[0]?.message).toContain('1 to 64 characters');
});

test('a filter holds at most two text searches, however they are nested', () => {
  const search = { name: { $autocomplete: 'x' } };
  const error = refused({ $or: [search, { $and: [search, { name: { $q: 'y' } }] }] });

  expect(error).toMatchObject({
    name: 'QueryTooComplex',
    details: [{ path: 'filter.$or[1].$and[1].name.$q' }],
  });
  expect(parseFilter({ $or: [search, search] }, thingFields)).toMatchObject({ kind: '$or' });
});

test('every mistake is named', () => {
  const error = refused({ name: 5, size: 'x', at: { $foo: 1 } });

  expect(error.details?.map((each) => each.path)).toEqual(['filter.name', 'filter.size', 'filter.at.$foo']);
});

test('a resource without custom data refuses an unknown field', () => {
  const options = { resource: 'notes', tieBreaker: 'id', defaultSort: [] };
  const notes = defineFields({ id: idField('notes.id', { sort: { nullable: false } }) }, options);

  expect(refused({ color: 'red' }, notes).details?.[0]).toEqual({
    path: 'filter.color',
    message: 'is not a filterable field of notes; allowed: id',
  });
});

test('a slip of a field’s name is no custom data; what is meant so says so', () => {
  const record = { properties: { id: 1, name: 1, online: 1 } };
  const options = { resource: 'notes', tieBreaker: 'id', defaultSort: [], custom: 'notes.data', record };
  const notes = defineFields(
    { id: idField('notes.id', { sort: { nullable: false } }), name: textField('notes.name') },
    options,
  );

  expect(refused({ naem: 'x' }, notes).details).toEqual([
    {
      path: 'filter.naem',
      message: 'is not a field of notes: did you mean name? Custom data of that name is custom.naem',
    },
  ]);
  expect(refused({ online: true }, notes).details?.[0]?.message).toMatch(
    /^is not a filterable field of notes/,
  );
  expect(refused({ 'custom.online': true }, notes).details?.[0]?.path).toBe('filter.custom.online');
  expect(parseFilter({ 'custom.naem': 'x' }, notes)).toMatchObject({
    kind: 'leaf',
    field: { type: 'custom' },
  });
  expect(parseFilter({ colour: 'red' }, notes)).toMatchObject({ kind: 'leaf', field: { type: 'custom' } });
});

test('a tie-breaker must be sortable and never null', () => {
  const options = { resource: 'notes', tieBreaker: 'id', defaultSort: [] };

  expect(() => defineFields({ id: textField('notes.id') }, options)).toThrow(/tie-breaker id/);
});

test('five levels and fifty conditions are the most', () => {
  const conditions = (count: number) => ({ $or: Array.from({ length: count }, () => ({ name: 'x' })) });

  expect(parseFilter(nested(5), thingFields)).toBeDefined();
  expect(refused(nested(6)).name).toBe('QueryTooComplex');
  expect(parseFilter(conditions(50), thingFields)).toBeDefined();
  expect(refused(conditions(51)).name).toBe('QueryTooComplex');
  expect(refused({ $or: Array(51).fill({}) }).name).toBe('QueryTooComplex');
});

test.each(['[', '{"$and":[', '{"name":[', '{"name":{"$eq":[', '{"color":{"$in":['])(
  '%s a hundred thousand deep does not overflow',
  (open) => {
    const close = [...open].reverse().map((each) => ({ '[': ']', '{': '}' })[each] ?? '');
    const raw: unknown = JSON.parse(open.repeat(100_000) + close.join('').repeat(100_000));

    expect(['QueryTooComplex', 'InputInvalid']).toContain(refused(raw).name);
  },
);

test('arbitrary JSON raises nothing but a ParleyError', () => {
  const keys = fc.constantFrom(
    '$and',
    '$or',
    '$nor',
    '$eq',
    '$in',
    'name',
    'at',
    'color',
    '__proto__',
    'toString',
    '',
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 7 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(keys, tie('json'), { maxKeys: 3 }),
    ),
  }));
  const attempt = (parse: () => unknown) => {
    try {
      parse();
    } catch (error) {
      expect(error).toBeInstanceOf(ParleyError);
    }
  };

  fc.assert(
    fc.property(json, (raw) => {
      attempt(() => parseFilter(raw, thingFields));
      attempt(() => parseSort(raw, thingFields));
    }),
    { numRuns: 1000 },
  );
});

test('the canonical text ignores the order of parts and nothing else', () => {
  const canonical = (raw: unknown) => canonicalFilter(parseFilter(raw, thingFields));

  expect(canonical({ name: 'x', size: 1 })).toBe(canonical({ $and: [{ size: { $eq: 1 } }, { name: 'x' }] }));
  expect(canonical({ name: 'x', size: 1 })).not.toBe(canonical({ name: 'x', size: 2 }));
  expect(canonical({ $or: [{ name: 'x' }, { size: 1 }] })).not.toBe(canonical({ name: 'x', size: 1 }));
});
