import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize';

export type CodeKind =
  | 'comment'
  | 'string'
  | 'number'
  | 'keyword'
  | 'name'
  | 'type'
  | 'key'
  | 'added'
  | 'removed';
export type CodeToken = { kind: CodeKind | undefined; text: string };
/** The code in pieces that together are the code; undefined for code that would take too long. */
export type Highlighter = (code: string) => readonly CodeToken[] | undefined;

/** Longer code stays plain: each piece is an element, and the patterns take time with the square of the length. */
const mostCharacters = 4000;
/** A run of letters or of blanks this long is not code that somebody wrote, and the slowest patterns are slow only on such runs. */
const longRun = /[\w$-]{160}|\s{160}/;
/** Code that takes longer than this stays plain. */
const mostMilliseconds = 100;

const kinds: Readonly<Partial<Record<ShjToken, CodeKind>>> = {
  cmnt: 'comment',
  str: 'string',
  esc: 'string',
  num: 'number',
  bool: 'number',
  kwd: 'keyword',
  section: 'keyword',
  func: 'name',
  class: 'type',
  type: 'type',
  var: 'key',
  insert: 'added',
  deleted: 'removed',
};

type Grammar = () => Promise<object>;

/** One entry per grammar, each a chunk of its own that is loaded with the first block in that language. */
const grammars: Readonly<Record<string, Grammar>> = {
  markup: async () => (await import('./code-grammars.ts')).markup,
  diff: async () => (await import('./code-grammars.ts')).diff,
  bash: async () => (await import('@speed-highlight/core/languages/bash.js')).default,
  c: async () => (await import('@speed-highlight/core/languages/c.js')).default,
  css: async () => (await import('@speed-highlight/core/languages/css.js')).default,
  docker: async () => (await import('@speed-highlight/core/languages/docker.js')).default,
  go: async () => (await import('@speed-highlight/core/languages/go.js')).default,
  java: async () => (await import('@speed-highlight/core/languages/java.js')).default,
  js: async () => (await import('@speed-highlight/core/languages/js.js')).default,
  json: async () => (await import('@speed-highlight/core/languages/json.js')).default,
  lua: async () => (await import('@speed-highlight/core/languages/lua.js')).default,
  make: async () => (await import('@speed-highlight/core/languages/make.js')).default,
  md: async () => (await import('@speed-highlight/core/languages/md.js')).default,
  pl: async () => (await import('@speed-highlight/core/languages/pl.js')).default,
  py: async () => (await import('@speed-highlight/core/languages/py.js')).default,
  rs: async () => (await import('@speed-highlight/core/languages/rs.js')).default,
  sql: async () => (await import('@speed-highlight/core/languages/sql.js')).default,
  toml: async () => (await import('@speed-highlight/core/languages/toml.js')).default,
  ts: async () => (await import('@speed-highlight/core/languages/ts.js')).default,
  yaml: async () => (await import('@speed-highlight/core/languages/yaml.js')).default,
};

/** Grammars that another one names for a part of its text. A part whose grammar is absent keeps one colour. */
const parts: Readonly<Record<string, readonly string[]>> = {
  markup: ['js', 'css'],
  make: ['bash'],
  ts: ['js'],
};

/** The other names of each grammar. Languages that the library lacks are read by the grammar that is nearest to them. */
const otherNames: Readonly<Record<string, string>> = {
  js: 'javascript jsx mjs cjs node php',
  ts: 'typescript tsx mts cts',
  json: 'json5 jsonc',
  py: 'python python3 ruby rb',
  bash: 'sh shell zsh console terminal',
  docker: 'dockerfile',
  java: 'kotlin kt csharp cs c# scala dart swift groovy',
  c: 'cpp c++ cc h hpp objc',
  go: 'golang',
  rs: 'rust',
  pl: 'perl',
  md: 'markdown',
  make: 'makefile',
  yaml: 'yml',
  toml: 'ini conf',
  sql: 'postgres postgresql mysql sqlite plsql',
  markup: 'html xml svg vue svelte',
  css: 'scss less',
  diff: 'patch',
};

const names = new Map([
  ...Object.keys(grammars).map((name) => [name, name] as const),
  ...Object.entries(otherNames).flatMap(([name, others]) =>
    others.split(' ').map((other) => [other, name] as const),
  ),
]);

type Grammars = { name: string; languages: Record<string, ShjLanguageData>; now: () => number };

const tokensOf = (code: string, { name, languages, now }: Grammars) => {
  const tokens: CodeToken[] = [];
  const end = now() + mostMilliseconds;
  const add = (text: string, type?: ShjToken) => {
    // The tokenizer catches one error and calls again with the rest of the text; the second error leaves it.
    if (now() > end) throw new RangeError('The code takes too long to colour');
    const kind = type && kinds[type];
    const last = tokens.at(-1);
    if (last && last.kind === kind) last.text += text;
    else if (text !== '') tokens.push({ kind, text });
  };
  try {
    tokenizeWith(code, name, add, { languages });
    return tokens;
  } catch {
    return undefined;
  }
};

/** Loads the grammar of a language; undefined for a language that no grammar reads. `now` counts milliseconds. */
export const loadHighlighter = async (
  language: string,
  now = () => performance.now(),
): Promise<Highlighter | undefined> => {
  const name = names.get(language.toLowerCase());
  if (name === undefined) return undefined;
  const loaded = await Promise.all(
    [name, ...(parts[name] ?? [])].map(async (one) => [one, await grammars[one]?.()] as const),
  );
  // The library declares its grammars with optional properties that are undefined, which its own type does not allow.
  const languages = Object.fromEntries(loaded) as Record<string, ShjLanguageData>;
  return (code) =>
    code.length > mostCharacters || longRun.test(code) ? undefined : tokensOf(code, { name, languages, now });
};
