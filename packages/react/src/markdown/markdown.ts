import { type Span, spansOf } from './inline-marks.ts';

/** A small part of GitHub's Markdown, as data. Every step looks at a character a bounded number of times. */
export type Inline =
  | string
  | { kind: 'strong' | 'em' | 'del'; children: readonly Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; children: readonly Inline[] };

export type Block =
  | { kind: 'text'; children: readonly Inline[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'quote'; blocks: readonly Block[] }
  | {
      kind: 'list';
      start: number | undefined;
      sign: string | undefined;
      items: readonly (readonly Block[])[];
    };

/** The deepest nesting: text inside stays plain, and the drawn tree shallow. */
const deepest = 12;

/** A quote begins with a space after its mark and has something to read: `>:(` and `> 5` are none. */
const isQuote = (line: string): boolean => /^ {0,3}> .*[\p{L}\p{ExtPict}]/u.test(line);

/** The bullet of an item. One that stands alone before a number is a sign: `- 5`, `+ 1`. */
const bulletsOf = (text: string): RegExp => {
  const bullet = /^ {0,3}[-*+][ \t]+(?![-*+](?:\s|$))(?=\S)/;
  const isList = (text.match(new RegExp(bullet, 'gm'))?.length ?? 0) > 1;
  return isList ? bullet : new RegExp(`${bullet.source}(?=\\D)`);
};

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`~]*)$/;
const QUOTED = /^ {0,3}>(?: |$)/;
const NUMBER = /^ {0,3}(\d{1,3})([.)])\s+(?=\S)/;
const BLANK = /^\s*$/;

export const parseMarkdown = (text: string): readonly Block[] =>
  parseBlocks(text.split('\n'), 0, bulletsOf(text));

type Read = { block: Block; next: number };

function parseBlocks(lines: readonly string[], depth: number, bullet: RegExp): readonly Block[] {
  const blocks: Block[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) blocks.push({ kind: 'text', children: parseInline(plain.join('\n')) });
    plain = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const read = depth < deepest ? readBlock(lines, at, depth, bullet) : undefined;
    if (read === undefined) {
      if (BLANK.test(line)) flush();
      else plain.push(line);
      at += 1;
      continue;
    }
    flush();
    blocks.push(read.block);
    at = read.next;
  }
  flush();
  return blocks;
}

function readBlock(lines: readonly string[], at: number, depth: number, bullet: RegExp): Read | undefined {
  const line = lines[at] ?? '';
  const fence = FENCE.exec(line);
  if (fence) return readFence(lines, at, fence);
  if (isQuote(line)) {
    const next = endOf(lines, at, (other) => QUOTED.test(other));
    const inner = lines.slice(at, next).map((quoted) => quoted.replace(QUOTED, ''));
    return { block: { kind: 'quote', blocks: parseBlocks(inner, depth + 1, bullet) }, next };
  }
  const item = bullet.exec(line) ?? NUMBER.exec(line);
  return item ? readList(lines, at, depth, bullet) : undefined;
}

const endOf = (lines: readonly string[], from: number, belongs: (line: string) => boolean): number => {
  let end = from + 1;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end;
};

const isLanguage = (words: string): boolean => /^[\w+#.-]{0,20}$/.test(words.trim());

/** Ends at a line of the same marks, or, as people type it, at marks right after the last word. Without anything in
 * it a fence is only text, and so are waves that never end; words after the opening marks that name no language are its first line. */
function readFence(lines: readonly string[], at: number, found: RegExpExecArray): Read | undefined {
  const [, mark = '', info = ''] = found;
  const isClosed = (line: string) => line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim());
  const end = endOf(lines, at, (line) => !isClosed(line) && !line.trimEnd().endsWith(mark));
  const last = lines[end];
  const isTight = last !== undefined && !isClosed(last);
  const language = isLanguage(info) ? info.trim() : '';
  const text = [
    ...(isLanguage(info) ? [] : [info.trimStart()]),
    ...lines.slice(at + 1, end),
    ...(isTight ? [last.trimEnd().slice(0, -mark.length)] : []),
  ].join('\n');
  if (BLANK.test(text) || (last === undefined && mark.startsWith('~'))) return undefined;
  return { block: { kind: 'code', text, language }, next: end + 1 };
}

type Item = { head: string; number?: number; sign?: string };

const itemOf = (line: string, bullet: RegExp): Item | undefined => {
  const [head] = bullet.exec(line) ?? [];
  if (head !== undefined) return { head };
  const [counted, number = '', sign = ''] = NUMBER.exec(line) ?? [];
  return counted === undefined ? undefined : { head: counted, number: Number(number), sign };
};

/** Numbers count up, or repeat: others begin a list of their own. */
const goesOn = (next: Item, { number, sign }: Item): boolean =>
  next.sign === sign && (number === undefined || next.number === number || next.number === number + 1);

/** Items of one kind in a row; lines that are indented belong to the item above. One number other than 1 is no list: `24. December`. */
function readList(lines: readonly string[], from: number, depth: number, bullet: RegExp): Read | undefined {
  const first = itemOf(lines[from] ?? '', bullet);
  const items: (readonly Block[])[] = [];
  let at = from;
  for (let last = first; last !== undefined; ) {
    const next = endOf(lines, at, (other) => /^(?: {2}|\t)/.test(other) && !BLANK.test(other));
    const inner = [(lines[at] ?? '').slice(last.head.length), ...lines.slice(at + 1, next).map(outdent)];
    items.push(parseBlocks(inner, depth + 1, bullet));
    at = next;
    const item = itemOf(lines[at] ?? '', bullet);
    last = item && goesOn(item, last) ? item : undefined;
  }
  const start = first?.number;
  if (items.length === 1 && start !== undefined && start !== 1) return undefined;
  return { block: { kind: 'list', start, sign: first?.sign, items }, next: at };
}

const outdent = (line: string): string => line.replace(/^(?:\t| {1,4})/, '');

/** Nests the spans of a text, which never overlap. */
function parseInline(text: string): readonly Inline[] {
  const spans = spansOf(text).toSorted((a, b) => a.from - b.from || b.to - a.to);
  let next = 0;
  const read = (from: number, end: number): Inline[] => {
    const nodes: Inline[] = [];
    const add = (node: Inline) => {
      const last = nodes.at(-1);
      if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node;
      else if (node !== '') nodes.push(node);
    };
    let at = from;
    for (let span = spans[next]; span !== undefined && span.from < end; span = spans[next]) {
      next += 1;
      add(text.slice(at, span.from));
      for (const node of nodesOf(text, span, read)) add(node);
      at = span.to;
    }
    add(text.slice(at, end));
    return nodes;
  };
  return read(0, text.length);
}

function nodesOf(text: string, span: Span, read: (from: number, end: number) => Inline[]): readonly Inline[] {
  const { kind, inner, innerEnd, href = '' } = span;
  if (kind === 'code') {
    const code = text.slice(inner, innerEnd);
    const isPadded = code.startsWith(' ') && code.endsWith(' ');
    return [{ kind, text: isPadded ? code.slice(1, -1) : code }];
  }
  const children = read(inner, innerEnd);
  if (kind === 'text') return children;
  return [kind === 'link' ? { kind, href, children } : { kind, children }];
}
