import { join } from 'node:path';
import type { Plugin } from 'vite';

const helper = '\0vite/preload-helper.js';

/** Loads chunks by `load-chunk.ts` instead of Vite's own function, after which a part that failed once never loads, or has no styles. */
export const fetchChunks = (): Plugin => ({
  name: 'fetch-chunks',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === helper ? join(import.meta.dirname, 'src/app/load-chunk.ts') : undefined),
});
