import { readdir, readFile } from 'node:fs/promises';
import { logEventTypes } from '@parley/protocol';
import { expect, test } from 'vitest';
import { lawTests } from './verify.ts';

/** The calls of testLaw in this folder, from title to the next call. */
const readCases = async (): Promise<Map<string, string>> => {
  const names = await readdir(import.meta.dirname);
  const files = names.filter((name) => name.endsWith('.test.ts') && name !== 'table.test.ts');
  const texts = await Promise.all(files.map((name) => readFile(`${import.meta.dirname}/${name}`, 'utf8')));
  const cases = texts.flatMap((text) => text.split("testLaw('").slice(1));
  return new Map(cases.map((text) => [text.slice(0, text.indexOf("'")), text]));
};

test('S1 every type of the log has a case of the law, which writes that type', async () => {
  const cases = await readCases();

  expect(Object.keys(lawTests).sort()).toEqual([...logEventTypes].sort());
  for (const type of logEventTypes) expect(cases.get(lawTests[type]), type).toContain(`'${type}'`);
});

test('S1 every title begins with a rule of docs/sync.md', async () => {
  const rules = await readFile(`${import.meta.dirname}/../../docs/sync.md`, 'utf8');

  for (const title of (await readCases()).keys())
    expect(rules, title).toContain(`**${/^S\d+/.exec(title)?.[0]}**`);
});
