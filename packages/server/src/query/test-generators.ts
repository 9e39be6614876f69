import fc from 'fast-check';
import type { Thing } from './test-things.ts';

export const WORDS = ['Anna', 'anna', 'Bo', 'bobby', "o'neil", '100%', 'a_b', 'Äpfel'];
export const TIMES = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-02-28T23:59:59.999Z'];
export const TAGS = ['red', 'green', 'blue'];
export const CUSTOM = ['color', 'level', '__proto__', 'constructor'];

const words = fc.array(fc.constantFrom('Anna', 'anna', 'Bo', 'bobby', 'Äpfel'), { maxLength: 2 });
export const name = fc.option(
  fc.oneof(
    fc.constantFrom(...WORDS),
    words.map((each) => each.join(' ')),
  ),
);
export const size = fc.integer({ min: -2, max: 3 });
export const customScalar = fc.constantFrom<string | number | boolean>(
  'red',
  '1',
  '',
  1,
  2.5,
  -1,
  true,
  false,
);
const customValue = fc.oneof(
  customScalar,
  fc.constant(null),
  fc.array(customScalar, { maxLength: 2 }),
  fc.constant({ deep: 1 }),
);

const data = fc
  .array(fc.tuple(fc.constantFrom(...CUSTOM), customValue), { maxLength: 3 })
  .map((entries): Record<string, unknown> => Object.fromEntries(entries));

const thing: fc.Arbitrary<Omit<Thing, 'id'>> = fc.record({
  name,
  size: fc.option(size),
  weight: fc.constantFrom(0, 0.1, 1e-7, 1 / 3, -5),
  open: fc.option(fc.boolean()),
  at: fc.option(fc.constantFrom(...TIMES)),
  owner: fc.constantFrom('me', 'you'),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  data,
});

/** Things whose ids are in another order than they were made in, so that nothing is sorted by accident. */
export function things(
  prefix: string,
  count: { minLength: number; maxLength: number },
): fc.Arbitrary<Thing[]> {
  const numbered = (each: Omit<Thing, 'id'>, index: number) => ({
    id: `${prefix}${(index * 37) % 101}`,
    ...each,
  });
  return fc.array(thing, count).map((list) => list.map(numbered));
}
