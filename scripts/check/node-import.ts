import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, kitBundle } from './bundles.ts';
import type { Check } from './outcome.ts';
import { runTool } from './run-tool.ts';

const importInNode = async (root: string, path: string, shown: string): Promise<string[]> => {
  const code = `await import(${JSON.stringify(pathToFileURL(path).href)})`;
  const { code: exit, output } = await runTool(root, process.execPath, ['--input-type=module', '-e', code]);
  return exit === 0 ? [] : [`${shown} does not import in Node without a DOM:\n${output}`];
};

const kitInNode = async (root: string): Promise<string[]> => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const directory = mkdtempSync(join(root, '.cache/node-import-'));
  try {
    const chunks = await bundle(root, kitBundle, 'node');
    for (const chunk of chunks) writeFileSync(join(directory, chunk.fileName), chunk.code);
    const entry = chunks.find((chunk) => chunk.isEntry)?.fileName ?? 'index.js';
    return await importInNode(root, join(directory, entry), kitBundle.entry);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const clientEntries = ['packages/client/src/index.ts', 'packages/client/src/admin/index.ts'];

/** Server rendering imports both packages where there is no document. */
export const nodeImport: Check = {
  name: 'imports without a DOM',
  run: async (root) => {
    const missing = [...clientEntries, kitBundle.entry].filter((path) => !existsSync(join(root, path)));
    if (missing.length > 0) return { problems: missing.map((path) => `${path} is missing`) };
    const client = await Promise.all(clientEntries.map((path) => importInNode(root, join(root, path), path)));
    return { problems: [...client.flat(), ...(await kitInNode(root))] };
  },
};
