import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const home = join(import.meta.dirname, '../../packages/react/src');
const sources = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.tsx'),
);

/** The classes that a file gives to buttons of the kit, which have styles of their own. */
const givenClasses = (text: string): string[] =>
  [...text.matchAll(/<(?:Icon)?Button\b[^>]*?className=\{styles\.(\w+)\}/g)].flatMap(
    ([, name]) => name ?? [],
  );

const sheetOf = (path: string, text: string): string => {
  const sheet = /import styles from '([^']+)'/.exec(text)?.[1] ?? '';
  return readFileSync(join(home, dirname(path), sheet), 'utf8');
};

/** The rules of a class that are no stronger than one class: the sheet that a page loads last would win. */
const weakRules = (sheet: string, name: string): string[] =>
  [...sheet.matchAll(/([^{}]+)\{/g)]
    .flatMap(([, selectors = '']) => selectors.split(','))
    .map((selector) => selector.trim())
    .filter((selector) => selector === `.${name}`);

test('W2 a class that changes a button of the kit is stronger than its own, whichever sheet is loaded first', () => {
  const given = sources.flatMap((path) => {
    const text = readFileSync(join(home, path), 'utf8');
    return givenClasses(text).map((name) => ({ path, name, weak: weakRules(sheetOf(path, text), name) }));
  });

  expect(given.map(({ name }) => name)).toEqual(expect.arrayContaining(['back', 'close', 'wide', 'copy']));
  expect(given.filter(({ weak }) => weak.length > 0)).toEqual([]);
});
