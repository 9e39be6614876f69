import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

/** The fields of a page's head by lower-case name: `title` and the content of each `meta`. The first of a name counts. */
export type PageHead = ReadonlyMap<string, string>;

const maxTags = 20_000;
/** The parser searches its stack of open elements at every closing tag: without this bound a page of open tags takes quadratic time. */
const maxDepth = 16;
const maxTextLength = 4000;
/** The limit for all `meta` tags together. Real pages have a few kilobytes of them. */
const maxMetaLength = 128 * 1024;
/** Titles in these elements are not the title of the page. The parser itself skips scripts, styles and other raw text. */
const skippedElements = new Set(['noscript', 'template', 'svg', 'math']);
const metaAttributes = new Set(['property', 'name', 'itemprop', 'content']);

type Meta = Map<string, string>;

class HeadReader {
  readonly fields = new Map<string, string>();
  readonly #stop: () => void;
  #tags = 0;
  #depth = 0;
  /** The depth of the outermost skipped element that is open; 0 outside of them. */
  #skippedDepth = 0;
  #metaLeft = maxMetaLength;
  #meta: Meta | undefined;
  #title: string | undefined;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  onopentagname(name: string): void {
    this.#depth++;
    if (name === 'body' || ++this.#tags > maxTags || this.#depth > maxDepth) this.#stop();
    else if (this.#skippedDepth > 0) return;
    else if (skippedElements.has(name)) this.#skippedDepth = this.#depth;
    else if (name === 'title' && !this.fields.has('title')) this.#title = '';
    else if (name === 'meta' && this.#metaLeft > 0) this.#meta = new Map();
  }

  onattribute(name: string, value: string): void {
    if (!this.#meta || this.#metaLeft <= 0) return;
    this.#metaLeft -= name.length + value.length;
    if (metaAttributes.has(name) && !this.#meta.has(name))
      this.#meta.set(name, value.slice(0, maxTextLength));
  }

  ontext(text: string): void {
    if (this.#title === undefined || this.#title.length >= maxTextLength) return;
    this.#title += text.slice(0, maxTextLength - this.#title.length);
  }

  onclosetag(name: string): void {
    if (this.#meta) this.#takeMeta(this.#meta);
    this.#meta = undefined;
    if (name === 'title' && this.#title !== undefined) this.fields.set('title', this.#title);
    if (name === 'title') this.#title = undefined;
    if (this.#depth === this.#skippedDepth) this.#skippedDepth = 0;
    this.#depth--;
    if (name === 'head') this.#stop();
  }

  #takeMeta(meta: Meta): void {
    const name = (meta.get('property') ?? meta.get('name') ?? meta.get('itemprop') ?? '').toLowerCase();
    const content = meta.get('content');
    if (name !== '' && content !== undefined && !this.fields.has(name)) this.fields.set(name, content);
  }
}

/** A hostile page takes 0.1 µs per character: between two chunks the server does its other work. */
const chunkLength = 64 * 1024;

/**
 * Reads a page up to `</head>`, `<body>`, the end of the text or a bound, whichever comes first. The time grows with the
 * length of the text only.
 */
export const readHead = async (html: string): Promise<PageHead> => {
  let isDone = false;
  const reader = new HeadReader(() => {
    isDone = true;
    parser.pause();
  });
  const parser = new Parser(reader);
  for (let at = 0; at < html.length && !isDone; at += chunkLength) {
    if (at > 0) await setImmediate();
    parser.write(html.slice(at, at + chunkLength));
  }
  return reader.fields;
};
