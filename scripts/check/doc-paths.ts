import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './outcome.ts';
import { listFiles, readText } from './source-files.ts';

const extensions = ['.ts', '.tsx', '.mjs', '.css', '.md', '.json'];
const path = /^[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|css|md)$/;
const folder = /^(?:[\w.-]+\/)+$/;

/** The files and folders that a page names in code spans, each with its line. Names without a folder count, too. */
const namedIn = (text: string): { name: string; line: number }[] =>
  text
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = '']) =>
        path.test(name) || folder.test(name) ? [{ name, line: index + 1 }] : [],
      ),
    );

export const docPathProblems = (page: string, text: string, files: readonly string[]): string[] =>
  namedIn(text)
    .filter(({ name }) =>
      name.endsWith('/')
        ? !files.some((file) => `/${file}`.includes(`/${name}`))
        : !files.some((file) => file === name || file.endsWith(`/${name}`)),
    )
    .map(({ name, line }) => `${page}:${line} names ${name}, which is not there`);

/** A page that names a file which was moved sends its reader astray. Folders that a build or a start makes are left out. */
const made = ['dist/', '.parley/', '.cache/', 'test-results/'];

export const docPaths: Check = {
  name: 'paths in documents',
  run: async (root) => {
    const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
    const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const pages = [...atRoot, ...docs.map((name) => `docs/${name}`)];
    const files = [...listFiles(root, extensions), ...pages, ...made];
    return { problems: pages.flatMap((page) => docPathProblems(page, readText(root, page), files)) };
  },
};
