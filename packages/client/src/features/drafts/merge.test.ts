import { expect, test } from 'vitest';
import { mergeFiles } from './content.ts';
import { mergeTexts } from './merge.ts';

test.each([
  ['nothing else was written', '', 'mine', '', 'mine'],
  ['the other went on from here', 'Hello', 'Hello', 'Hello Bo', 'Hello Bo'],
  ['both added at the end', 'Hello', 'Hello there', 'Hello Bo', 'Hello there Bo'],
  ['one added before, one after', 'lunch', 'lunch at noon', 'Sushi for lunch', 'Sushi for lunch at noon'],
  ['one rewrote, one added', 'Hello', 'Help', 'Hello Bo', 'Help Bo'],
  ['both began anew', '', 'from the desk', 'from the phone', 'from the desk\n\nfrom the phone'],
  ['both rewrote', 'old', 'mine', 'theirs', 'mine\n\ntheirs'],
])('M8 %s', (...[, base, local, remote, expected]) => {
  expect(mergeTexts(base, local, remote)).toBe(expected);
});

test('M8 two devices that go on typing do not double each other', () => {
  const first = mergeTexts('', 'desk', 'phone');

  expect(mergeTexts('phone', 'phone, and more', first)).toBe('desk\n\nphone, and more');
});

test.each([
  ['both added', [], ['a'], ['b'], ['a', 'b']],
  ['one took away, one added', ['a'], [], ['a', 'b'], ['b']],
  ['the other took away', ['a', 'b'], ['a', 'b', 'c'], ['b'], ['b', 'c']],
  ['another order here', ['a', 'b'], ['b', 'a'], ['a', 'b'], ['b', 'a']],
])('A1 files of a draft on two devices: %s', (...[, base, local, remote, expected]) => {
  const holding = (names: string[]) => ({
    text: '',
    rest: { attachments: names.map((name) => ({ asset_url: name })) },
  });

  const merged = mergeFiles(base, holding(local), holding(remote));

  expect(merged.map(({ asset_url }) => asset_url)).toEqual(expected);
});
