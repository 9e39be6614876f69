import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './outcome.ts';
import { listFiles, listPages, readText } from './source-files.ts';

const extensions = ['.ts', '.tsx', '.mjs', '.css', '.md', '.json'];
const path = /^[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|css|md)$/;
const folder = /^(?:[\w.-]+\/)+$/;

type Named = { name: string; line: number };

const eachMatch = (text: string, pattern: RegExp): Named[] =>
  text
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(pattern)].map(([, name = '']) => ({ name, line: index + 1 })),
    );

/** The files and folders that a page names in code spans, each with its line. Names without a folder count, too. */
const namedIn = (text: string): Named[] =>
  eachMatch(text, /`([^`\s]+)`/g).filter(({ name }) => path.test(name) || folder.test(name));

export const docPathProblems = (page: string, text: string, files: readonly string[]): string[] =>
  namedIn(text)
    .filter(({ name }) =>
      name.endsWith('/')
        ? !files.some((file) => `/${file}`.includes(`/${name}`))
        : !files.some((file) => file === name || file.endsWith(`/${name}`)),
    )
    .map(({ name, line }) => `${page}:${line} names ${name}, which is not there`);

/** The headings of a page, as links name them. */
const headingsOf = (text: string): string[] =>
  eachMatch(text, /^#+ (.+)/g).map(({ name }) =>
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Links to files and headings of ours that lead nowhere. */
export const linkProblems = (root: string, page: string, text: string): string[] =>
  eachMatch(text, /\]\(([^)\s]+)\)/g)
    .filter(({ name }) => !/^[a-z]+:/.test(name))
    .filter(({ name }) => {
      const [target = '', heading] = name.split('#');
      const file = target === '' ? page : join(dirname(page), target);
      if (!existsSync(join(root, file))) return true;
      return heading !== undefined && !headingsOf(readText(root, file)).includes(heading);
    })
    .map(({ name, line }) => `${page}:${line} links to ${name}, which is not there`);

export const commandProblems = (page: string, text: string, scripts: readonly string[]): string[] =>
  eachMatch(text, /npm run ([\w:]+)/g)
    .filter(({ name }) => !scripts.includes(name))
    .map(({ name, line }) => `${page}:${line} names npm run ${name}, which is no script of package.json`);

/** A page that names a file which was moved sends its reader astray. Folders that a build or a start makes are left out. */
const made = ['dist/', '.parley/', '.cache/', 'test-results/'];

export const docPaths: Check = {
  name: 'paths in documents',
  run: async (root) => {
    const pages = listPages(root);
    const files = [...listFiles(root, extensions), ...pages, ...made];
    const { scripts }: { scripts: object } = JSON.parse(readText(root, 'package.json'));
    return {
      problems: pages.flatMap((page) => {
        const text = readText(root, page);
        return [
          ...docPathProblems(page, text, files),
          ...linkProblems(root, page, text),
          ...commandProblems(page, text, Object.keys(scripts)),
        ];
      }),
      note: `${pages.length} pages`,
    };
  },
};
