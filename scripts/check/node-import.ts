import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, kitBundle } from './bundles.ts';
import type { Check } from './outcome.ts';
import { runTool } from './run-tool.ts';
import { readText } from './source-files.ts';

/** Imports files in one process; `shown` names their sources. */
const importInNode = async (root: string, files: { path: string; shown: string }[]): Promise<string[]> => {
  const urls = files.map(({ path, shown }) => [pathToFileURL(path).href, shown]);
  const code = `for (const [url, shown] of ${JSON.stringify(urls)}) await import(url).catch((error) => {
    console.log(shown + ' does not import in Node without a DOM: ' + error);
  })`;
  const { output } = await runTool(root, process.execPath, ['--input-type=module', '-e', code]);
  return output.trim() === '' ? [] : [output.trim()];
};

/** The entries of the kit besides the first, and apart from its style sheet. */
const kitEntries = (root: string): string[] => {
  const { exports } = JSON.parse(readText(root, 'packages/react/package.json')) as {
    exports: Record<string, string>;
  };
  return Object.values(exports)
    .map((source) => join('packages/react', source))
    .filter((source) => !source.endsWith('.css') && source !== kitBundle.entry);
};

const kitInNode = async (root: string): Promise<string[]> => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const directory = mkdtempSync(join(root, '.cache/node-import-'));
  try {
    const chunks = await bundle(root, { ...kitBundle, others: kitEntries(root) }, 'node');
    for (const chunk of chunks) writeFileSync(join(directory, chunk.fileName), chunk.code);
    const entries = chunks.filter((chunk) => chunk.isEntry);
    return await importInNode(
      root,
      entries.map(({ fileName, facadeModuleId }) => ({
        path: join(directory, fileName),
        shown: facadeModuleId ?? fileName,
      })),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const clientEntries = ['packages/client/src/index.ts', 'packages/client/src/admin/index.ts'];

/** Server rendering imports both packages, with every entry of the kit, where there is no document. */
export const nodeImport: Check = {
  name: 'imports without a DOM',
  run: async (root) => {
    const missing = [...clientEntries, kitBundle.entry].filter((path) => !existsSync(join(root, path)));
    if (missing.length > 0) return { problems: missing.map((path) => `${path} is missing`) };
    const client = await importInNode(
      root,
      clientEntries.map((path) => ({ path: join(root, path), shown: path })),
    );
    return { problems: [...client, ...(await kitInNode(root))] };
  },
};
