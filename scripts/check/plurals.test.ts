import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Texts that count two or more. */
const always = new Set(['{count} photos and videos', 'Show all {count} options']);
/** Words that are wrong beside a 1. */
const plural = /\{count\} (?!was\b)[a-z]+s\b|\b(are|were|they)\b/i;

const root = join(import.meta.dirname, '..', '..', 'packages/react/src');

type Phrase = string | { one?: string; other: string };

const phrasesOf = async (file: string): Promise<Phrase[]> => {
  const found: Record<string, { english?: Record<string, Phrase> }> = await import(join(root, file));
  return Object.values(found).flatMap(({ english }) => Object.values(english ?? {}));
};

test('W2 a text that counts has a form for one', async () => {
  const files = globSync('**/*texts.ts', { cwd: root });
  const phrases = (await Promise.all(files.map(phrasesOf))).flat();

  const ofOne = phrases.map((phrase) => (typeof phrase === 'string' ? phrase : (phrase.one ?? phrase.other)));

  const counting = ofOne.filter((text) => text.includes('{count}') && !always.has(text));
  expect(counting.length).toBeGreaterThan(20);
  expect(counting.filter((text) => plural.test(text))).toEqual([]);
});
