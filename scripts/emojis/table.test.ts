import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emojiTable } from './table.ts';

/** The formatter decides which of the long lines begin below their key. */
const flat = (text: string): string => text.replaceAll(/:\s+'/g, ": '");

test('M7 the table of emojis is the one that the data set gives', () => {
  const kept = join(import.meta.dirname, '../../packages/react/src/features/reactions/emoji-table.ts');
  // The lines are compared as a boolean: nobody could read the difference of two such lines.
  expect(flat(readFileSync(kept, 'utf8')) === flat(emojiTable()), 'run `npm run emojis`').toBe(true);
});
