import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const cache = join(import.meta.dirname, '../../../.cache');
const require = createRequire(import.meta.url);
const home = dirname(require.resolve('inter-ui/package.json'));
const source = join(home, 'variable/InterVariable.woff2');

/** Latin with its accents, Vietnamese, Greek, Cyrillic, and the signs between them. Other scripts use the system's fonts. */
const ranges: readonly [first: number, last: number][] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x1a0, 0x1b0],
  [0x218, 0x21b],
  [0x300, 0x309],
  [0x384, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x491],
  [0x1ea0, 0x1ef9],
  [0x2010, 0x2027],
  [0x202f, 0x203a],
  [0x2044, 0x2044],
  [0x20ab, 0x20ac],
  [0x2116, 0x2116],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];

const textOf = ([first, last]: readonly [number, number]): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));

const options = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 }, opsz: 14 },
  // Without `tnum` times and counts would change their width while they change.
  keepFeatures: ['calt', 'case', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'tnum'],
} as const;

/** The part of Inter that the app uses, made once for each version of the font and of these settings. */
const makeTextFont = async (): Promise<string> => {
  const font = readFileSync(source);
  const key = createHash('sha256').update(font).update(JSON.stringify({ ranges, options })).digest('hex');
  const file = join(cache, `inter-${key.slice(0, 12)}.woff2`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  // Aside first: two builds at once must not read each other's half.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, await subsetFont(font, ranges.map(textOf).join(''), options));
  renameSync(aside, file);
  return file;
};

/** `url("parley-text-font")` of a style sheet is the app's font, which the page asks for before its styles have come. */
export const textFont = (): Plugin => ({
  name: 'parley-text-font',
  config: async () => ({ resolve: { alias: { 'parley-text-font': await makeTextFont() } } }),
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'assets/inter-license.txt',
      source: readFileSync(join(home, 'LICENSE.txt')),
    });
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: {
            ...{ rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            // On a slow network the scripts and the first screen come first: text is drawn without it, too.
            fetchpriority: 'low',
          },
        })),
  },
});
