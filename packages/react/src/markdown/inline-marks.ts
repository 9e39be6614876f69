/** A stretch of text between marks. Not shown are `from…inner` and `innerEnd…to`: the marks, or, where they were escaped, their backslashes. */
export type Span = {
  kind: 'strong' | 'em' | 'del' | 'code' | 'link' | 'text';
  from: number;
  inner: number;
  innerEnd: number;
  to: number;
  href?: string;
};

type Opener = {
  mark: string;
  from: number;
  inner: number;
  /** The length of the backslash before it. */
  slash: number;
  words: number;
  blanks: number;
};

/** The most marks that wait for their end at once: the drawn tree stays shallow. */
const deepest = 12;

const kinds: Readonly<Record<string, 'strong' | 'em' | 'del'>> = {
  '**': 'strong',
  __: 'strong',
  '*': 'em',
  _: 'em',
  '~~': 'del',
};

/** Tokens that may be marks. Addresses, the arms of a shrug and names of Python are none, whatever they hold. */
const TOKEN =
  /https?:\/\/[^\s<>"“”«»*`\]]+|\\_\([^()\s]{1,4}\)_|__(?:init|main|name|file|dict|class|doc|str|proto)__|\\?(?:\*+|_+|~+|`+|\[)|]/gi;
const TARGET = /\(((?:[^\s()<>]|\([^\s()<>]*\))+)\)/y;

const word = '\\p{L}\\p{N}\\p{ExtPict}\\p{EPres}';
/** Scripts without spaces between words. */
const dense = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}';
const edge = '\\s\\p{P}\\p{ExtPict}\\p{EPres}\\p{Cf}';
const pattern = (source: string): RegExp => new RegExp(source, 'v');
/** Something to read between marks: the letters of a face such as (*ﾟ∀ﾟ*) are none. */
const WORDS = pattern(`[[${word}]--\\p{Lm}]`);
const IN_WORD = pattern(`[[\\p{L}\\p{N}]--[${dense}]]$`);
// The sides of a mark, with other marks beside it left out: outside of it a word ends, inside of it one begins.
const BEFORE_OPENER = pattern(`[[${edge}\\p{Mn}]--[!#%\\&\\).\\/:;?@\\\\\\]\\}]][*_~]{0,6}$`);
const AFTER_OPENER = pattern(`^[*_~]{0,6}(?:[\\p{Ps}\\p{Pi}\\p{Sc}"'¿¡#@+<\`]|\\.\\.+|…){0,3}[${word}]`);
const AFTER_DOUBLE = pattern(`^[*_~]{0,6}[^\\s${word}]{0,4}[${word}]`);
const BEFORE_CLOSER = pattern(
  `(?:[${word}\\p{M}\\p{Cf}\\p{Sc}\\p{Pe}\\p{Pf}.!?…,:;%>+°\`。！？]|\\S["'])[*_~]{0,6}$`,
);
const AFTER_CLOSER = pattern(`^[*_~]{0,6}(?!\\.[${word}])[[${edge}]--[#%\\&\\(\\/@\\\\\\[\\{]]`);
const DENSE_BEFORE = pattern(`[${dense}][*~]{0,6}$`);
const DENSE_AFTER = pattern(`^[*~]{0,6}[${dense}]`);

const safeHref = (target: string): string | undefined => {
  const url = URL.parse(target);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
};

/** The starts of the runs of backticks by their length, so that finding a partner costs no search. */
function backticks(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length);
    if (starts) starts.push(index);
    else runs.set(run.length, [index]);
  }
  for (const starts of runs.values()) starts.reverse();
  return runs;
}

const marksOf = (run: string): string[] => {
  if (run.length === 3 && run[0] !== '~') return [run.slice(1), run.slice(2)];
  return run in kinds ? [run] : [];
};

/** Finds the marks of a text; docs/markdown.md has the rules. */
class MarkReader {
  readonly spans: Span[] = [];
  readonly #text: string;
  readonly #runs: Map<number, number[]>;
  #openers: Opener[] = [];
  #words = 0;
  #blanks = 0;

  constructor(text: string) {
    this.#text = text;
    this.#runs = backticks(text);
  }

  read(): void {
    let done = 0;
    for (;;) {
      TOKEN.lastIndex = done;
      const found = TOKEN.exec(this.#text);
      if (found === null) return;
      const [token] = found;
      this.#pass(this.#text.slice(done, found.index));
      done = this.#token(token, found.index);
    }
  }

  #pass(plain: string): void {
    if (WORDS.test(plain)) this.#words += 1;
    if (/\s/.test(plain)) this.#blanks += 1;
  }

  /** Returns where the text goes on. */
  #token(token: string, at: number): number {
    const end = at + token.length;
    const slash = Number(token[0] === '\\');
    const run = token.slice(slash);
    if (token[0] === '`') return this.#code(run, at);
    if (token === '[') this.#open('[', at, end, 0);
    else if (token === ']') return this.#link(at) ?? end;
    else if (/^[*_~]+$/.test(run)) this.#emphasis(run, at, slash);
    else this.#pass(token);
    return end;
  }

  #code(run: string, at: number): number {
    const inner = at + run.length;
    const starts = this.#runs.get(run.length) ?? [];
    while ((starts.at(-1) ?? Number.POSITIVE_INFINITY) <= at) starts.pop();
    const innerEnd = starts.at(-1);
    const isCode = innerEnd !== undefined && !IN_WORD.test(this.#text.slice(Math.max(0, at - 2), at));
    if (!isCode || this.#text.slice(inner, innerEnd).trim() === '') return inner;
    const to = innerEnd + run.length;
    this.spans.push({ kind: 'code', from: at, inner, innerEnd, to });
    this.#words += 1;
    return to;
  }

  #open(mark: string, from: number, inner: number, slash: number): void {
    const opener = { mark, from, inner, slash, words: this.#words, blanks: this.#blanks };
    this.#openers = [...this.#openers.slice(1 - deepest), opener];
  }

  #link(at: number): number | undefined {
    const index = this.#openers.findLastIndex(({ mark }) => mark === '[');
    const opener = this.#openers[index];
    TARGET.lastIndex = at + 1;
    const target = opener && TARGET.exec(this.#text);
    const href = target ? safeHref(target[1] ?? '') : undefined;
    if (!opener || !target || href === undefined || opener.words === this.#words) return undefined;
    const { from, inner } = opener;
    const to = at + 1 + target[0].length;
    this.spans.push({ kind: 'link', from, inner, innerEnd: at, to, href });
    // A link in a link is not allowed: the bracket around it stays text.
    this.#openers = this.#openers.slice(0, index).filter(({ mark }) => mark !== '[');
    return to;
  }

  #emphasis(run: string, start: number, slash: number): void {
    const marks = run.length + slash > 3 ? [] : marksOf(run);
    const end = start + slash + run.length;
    const before = `${start < 12 ? '\n' : ''}${this.#text.slice(Math.max(0, start - 12), start)}`;
    const after = `${this.#text.slice(end, end + 12)}\n`;
    const isLow = run[0] === '_';
    const isDouble = run.length > 1;
    const opens =
      (BEFORE_OPENER.test(before) || (!isLow && DENSE_BEFORE.test(before))) &&
      (isDouble ? AFTER_DOUBLE : AFTER_OPENER).test(after);
    const ends = AFTER_CLOSER.test(after) || (!isLow && DENSE_AFTER.test(after));
    const isInWord = !ends && isDouble && !isLow && /^\p{L}/u.test(after);
    const closes = (ends || isInWord) && BEFORE_CLOSER.test(before);
    let at = start;
    for (const mark of closes ? marks.toReversed() : marks) {
      const inner = at + slash + mark.length;
      if (!(closes && this.#close(mark, at, slash, isInWord)) && opens) this.#open(mark, at, inner, slash);
      at = inner;
    }
  }

  /** Ends the innermost mark of its kind; false when there is none, or nothing to read in it. */
  #close(mark: string, at: number, slash: number, isInWord: boolean): boolean {
    const index = this.#openers.findLastIndex((opener) => opener.mark === mark);
    const opener = this.#openers[index];
    if (!opener || opener.words === this.#words || (isInWord && opener.blanks !== this.#blanks)) return false;
    this.#openers = this.#openers.slice(0, index);
    // A backslash goes only where it kept marks from meaning anything.
    const isText = opener.slash + slash > 0;
    this.spans.push({
      kind: isText ? 'text' : (kinds[mark] ?? 'text'),
      from: opener.from,
      inner: isText ? opener.from + opener.slash : opener.inner,
      innerEnd: at,
      to: at + (isText ? slash : mark.length),
    });
    return true;
  }
}

export const spansOf = (text: string): readonly Span[] => {
  const reader = new MarkReader(text);
  reader.read();
  return reader.spans;
};

/** The ranges of a text that are marks, in order. */
export const marksIn = (text: string): { start: number; end: number }[] =>
  spansOf(text)
    .flatMap(({ from, inner, innerEnd, to }) => [
      { start: from, end: inner },
      { start: innerEnd, end: to },
    ])
    .sort((a, b) => a.start - b.start);
