/** Writes the kit's table of emojis: `npm run emojis`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emojiTable } from './emojis/table.ts';

const target = 'packages/react/src/features/reactions/emoji-table.ts';
writeFileSync(join(import.meta.dirname, '..', target), emojiTable());
