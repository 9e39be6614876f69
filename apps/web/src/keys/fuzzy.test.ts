import { expect, test } from 'vitest';
import { fitOf, fold } from './fuzzy.ts';

test('W2 accents and case do not matter', () => {
  expect(fold('Zoë Łukasz Straße Ørsted')).toBe('zoe lukasz strasse orsted');
  expect(fitOf('zoe', 'Zoë Kravitz')).toBeDefined();
  expect(fitOf('ÉTÉ', 'été')).toBeDefined();
});

test('W2 the beginning fits best, then the beginning of a word, the middle, and letters in their order', () => {
  const fits = ['general', 'the general', 'notgeneral', 'grand entry'].map((text) => fitOf('gen', text) ?? 0);

  expect(fits.toSorted((a, b) => b - a)).toEqual(fits);
  expect(Math.min(...fits)).toBeGreaterThan(0);
});

test('W2 every word has to fit, and letters far from each other do not', () => {
  expect(fitOf('bo lind', 'Bo Lindqvist')).toBeDefined();
  expect(fitOf('bo xyz', 'Bo Lindqvist')).toBeUndefined();
  expect(fitOf('aei', 'Saturday evening riders')).toBeUndefined();
});
