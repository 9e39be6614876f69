import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastTime } from '../../../testing/least-time.ts';
import { diffWords } from './word-diff.ts';

test('M12 a diff names the words that came and went', () => {
  expect(diffWords('see you at 5', 'see you at six, then')).toEqual([
    { kind: 'same', text: 'see you at ' },
    { kind: 'removed', text: '5' },
    { kind: 'added', text: 'six, then' },
  ]);
  expect(diffWords('', 'new')).toEqual([{ kind: 'added', text: 'new' }]);
});

test('M12 a diff holds both texts, whatever they are', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const parts = diffWords(before, after);
      const without = (kind: string) =>
        parts
          .filter((part) => part.kind !== kind)
          .map(({ text }) => text)
          .join('');

      expect([without('added'), without('removed')]).toEqual([before, after]);
    }),
  );
});

test('M12 two long texts with nothing in common are not compared word by word', () => {
  const [before, after] = ['a '.repeat(10_000), 'b '.repeat(10_000)];

  expect(diffWords(before, after).map(({ kind }) => kind)).toEqual(['removed', 'added']);
  expect(leastTime(() => diffWords(before, after), 250)).toBeLessThan(250);
});
