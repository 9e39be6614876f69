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
  | { kind: 'list'; start: number | undefined; items: readonly (readonly Block[])[] };

/** The deepest nesting: text inside stays plain, and the drawn tree shallow. */
const deepest = 12;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`~]*)$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])\s+(?=\S)/;
const BLANK = /^\s*$/;

export const parseMarkdown = (text: string): readonly Block[] => parseBlocks(text.split('\n'), 0);

type Read = { block: Block; next: number };

function parseBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) blocks.push({ kind: 'text', children: parseInline(plain.join('\n')) });
    plain = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const read = depth < deepest ? readBlock(lines, at, depth) : undefined;
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

function readBlock(lines: readonly string[], at: number, depth: number): Read | undefined {
  const line = lines[at] ?? '';
  const fence = FENCE.exec(line);
  if (fence) return readFence(lines, at, fence);
  if (QUOTE.test(line)) {
    const next = endOf(lines, at, (other) => QUOTE.test(other));
    const inner = lines.slice(at, next).map((quoted) => quoted.replace(QUOTE, ''));
    return { block: { kind: 'quote', blocks: parseBlocks(inner, depth + 1) }, next };
  }
  return ITEM.test(line) ? readList(lines, at, depth) : undefined;
}

const endOf = (lines: readonly string[], from: number, belongs: (line: string) => boolean): number => {
  let end = from + 1;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end;
};

const LANGUAGE = /^[\w+#.-]{1,20}$/;

/** Ends at a line of the same marks, or, as people type it, at marks right after the last word. Without anything in
 * it a fence is only text; words after the opening marks that name no language are its first line. */
function readFence(lines: readonly string[], at: number, found: RegExpExecArray): Read | undefined {
  const [, mark = '', info = ''] = found;
  const isClosed = (line: string) => line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim());
  const end = endOf(lines, at, (line) => !isClosed(line) && !line.trimEnd().endsWith(mark));
  const last = lines[end];
  const isTight = last !== undefined && !isClosed(last);
  const words = info.trim();
  const language = LANGUAGE.test(words) ? words : '';
  const text = [
    ...(words === language ? [] : [info.trimStart()]),
    ...lines.slice(at + 1, end),
    ...(isTight ? [last.trimEnd().slice(0, -mark.length)] : []),
  ].join('\n');
  return BLANK.test(text) ? undefined : { block: { kind: 'code', text, language }, next: end + 1 };
}

/** Items of one kind in a row; lines that are indented belong to the item above. */
function readList(lines: readonly string[], from: number, depth: number): Read {
  const [, number] = ITEM.exec(lines[from] ?? '') ?? [];
  const items: (readonly Block[])[] = [];
  let at = from;
  for (; at < lines.length; ) {
    const line = lines[at] ?? '';
    const item = ITEM.exec(line);
    if (!item || (item[1] === undefined) !== (number === undefined)) break;
    const next = endOf(lines, at, (other) => /^(?: {2}|\t)/.test(other) && !BLANK.test(other));
    const inner = [line.slice(item[0].length), ...lines.slice(at + 1, next).map(outdent)];
    items.push(parseBlocks(inner, depth + 1));
    at = next;
  }
  const start = number === undefined ? undefined : Number(number);
  return { block: { kind: 'list', start, items }, next: at };
}

const outdent = (line: string): string => line.replace(/^(?:\t| {1,4})/, '');

type Mark = '**' | '*' | '__' | '_' | '~~' | '[';
type Frame = { mark: Mark | undefined; isDead?: boolean; nodes: Inline[] };

const kinds = { '**': 'strong', __: 'strong', '*': 'em', _: 'em', '~~': 'del' } as const;
/** The tokens that may begin markup; the text between them is plain. */
const TOKEN = /https?:\/\/[^\s<>"“”«»*`\]]+|\\_\([^()\s]{1,4}\)_|\\[!-/:-@[-`{-~]|`+|\*+|_+|~+|[[\]]/giy;
const PLAIN = /[^hH\\`*_~[\]]+/y;
const TARGET = /\(((?:[^\s()<>]|\([^\s()<>]*\))+)\)/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const safeHref = (target: string): string | undefined => {
  const url = URL.parse(target);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
};

/** The starts of the runs of backticks by their length, so that finding a partner costs no search. */
function backticks(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const indices = runs.get(run.length);
    if (indices) indices.push(index);
    else runs.set(run.length, [index]);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

function partnerOf(runs: Map<number, number[]>, length: number, after: number): number | undefined {
  const starts = runs.get(length) ?? [];
  while ((starts.at(-1) ?? Number.POSITIVE_INFINITY) <= after) starts.pop();
  return starts.at(-1);
}

const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char);

class InlineReader {
  readonly #text: string;
  readonly #runs: Map<number, number[]>;
  readonly #frames: Frame[] = [{ mark: undefined, nodes: [] }];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#runs = backticks(text);
  }

  read(): readonly Inline[] {
    while (this.#at < this.#text.length) this.#step();
    while (this.#frames.length > 1) this.#collapse();
    return this.#frames[0]?.nodes ?? [];
  }

  #step() {
    const token = matchAt(TOKEN, this.#text, this.#at)?.[0];
    if (token === undefined) {
      const plain = matchAt(PLAIN, this.#text, this.#at)?.[0] ?? this.#text.charAt(this.#at);
      return this.#take(plain, plain.length);
    }
    const [first] = token;
    if (first === '`') this.#code(token);
    else if (first === '[') this.#open('[');
    else if (first === ']') this.#link();
    else if (first === '\\') this.#take(this.#escaped(token), token.length);
    else if (first === '*' || first === '_' || first === '~') this.#emphasis(token);
    else this.#take(token, token.length);
  }

  /** The arms of a shrug, and a path such as `C:\\new\\_temp_`, are meant as they are typed. */
  #escaped(token: string): string {
    const isInWord = isWord(this.#around(-1)) && isWord(this.#around(token.length));
    return isInWord || token.length > 2 ? token : token.slice(1);
  }

  #around(by: number): string {
    return this.#text.charAt(this.#at + by);
  }

  #take(node: Inline, length: number): void {
    this.#push(node);
    this.#at += length;
  }

  #push(node: Inline): void {
    const nodes = this.#frames.at(-1)?.nodes ?? [];
    const last = nodes.at(-1);
    if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node;
    else nodes.push(node);
  }

  #open(mark: Mark) {
    if (this.#frames.length > deepest) return this.#take(mark, mark.length);
    this.#frames.push({ mark, nodes: [] });
    this.#at += mark.length;
  }

  /** The innermost frame was never closed: its mark is text after all. */
  #collapse(): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    this.#push(frame.mark ?? '');
    for (const node of frame.nodes) this.#push(node);
  }

  /** Ends the innermost frame of a mark; false when there is none. */
  #close(mark: Mark, wrap: (children: readonly Inline[]) => Inline): boolean {
    const index = this.#frames.findLastIndex((frame) => frame.mark === mark && !frame.isDead);
    if (index < 0) return false;
    while (this.#frames.length > index + 1) this.#collapse();
    const frame = this.#frames.pop();
    this.#push(wrap(frame?.nodes ?? []));
    return true;
  }

  #code(run: string) {
    const from = this.#at + run.length;
    const end = partnerOf(this.#runs, run.length, this.#at);
    if (end === undefined) return this.#take(run, run.length);
    const text = this.#text.slice(from, end);
    const isPadded = text.startsWith(' ') && text.endsWith(' ') && !BLANK.test(text);
    this.#take({ kind: 'code', text: isPadded ? text.slice(1, -1) : text }, end + run.length - this.#at);
  }

  #link() {
    const target = matchAt(TARGET, this.#text, this.#at + 1);
    const href = target ? safeHref(target[1] ?? '') : undefined;
    const isLink = href && this.#close('[', (children) => ({ kind: 'link', href, children }));
    if (!isLink || !target) return this.#take(']', 1);
    // A link in a link is not allowed: the bracket around it stays text.
    for (const frame of this.#frames) if (frame.mark === '[') frame.isDead = true;
    this.#at += 1 + target[0].length;
  }

  #emphasis(run: string) {
    const marks = run.length > 3 ? [] : marksOf(run);
    const before = this.#around(-1);
    const after = this.#around(run.length);
    // Within a word a single mark is meant as it is typed: 2*3*4, snake_case, __init__.py.
    const isTight = run[0] === '_' || run === '*';
    const goesOn =
      isWord(after) || (run[0] === '_' && /[.(]/.test(after) && isWord(this.#around(run.length + 1)));
    const opens = after.trim() !== '' && !(isTight && isWord(before));
    const closes = before.trim() !== '' && !(isTight && goesOn);
    if (marks.length === 0) return this.#take(run, run.length);
    for (const mark of closes ? marks.toReversed() : marks) {
      const wrap = (children: readonly Inline[]) => ({ kind: kinds[mark], children });
      if (closes && this.#close(mark, wrap)) this.#at += mark.length;
      else if (opens) this.#open(mark);
      else this.#take(mark, mark.length);
    }
  }
}

function marksOf(run: string): (keyof typeof kinds)[] {
  if (run[0] === '~') return run.length === 2 ? ['~~'] : [];
  const one = run[0] === '*' ? '*' : '_';
  const two = one === '*' ? '**' : '__';
  return run.length === 1 ? [one] : run.length === 2 ? [two] : [two, one];
}

const parseInline = (text: string): readonly Inline[] => new InlineReader(text).read();
