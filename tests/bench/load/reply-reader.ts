/** Reads the replies of one keep-alive HTTP/1.1 connection: status and length, the body only while it is kept. */
export class ReplyReader {
  keep = false;
  readonly #onReply: (status: number, body: string) => void;
  #head = '';
  #status = 0;
  #mode: 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' = 'head';
  #left = 0;
  #line = '';
  #parts: Buffer[] = [];

  constructor(onReply: (status: number, body: string) => void) {
    this.#onReply = onReply;
  }

  feed(chunk: Buffer, length: number): void {
    let at = 0;
    while (at < length) {
      if (this.#mode === 'head') at = this.#readHead(chunk, at, length);
      else if (this.#mode === 'body' || this.#mode === 'chunk') at = this.#readBody(chunk, at, length);
      else at = this.#readLine(chunk, at);
    }
  }

  #readHead(chunk: Buffer, at: number, length: number): number {
    const before = this.#head.length;
    this.#head += chunk.toString('latin1', at, Math.min(length, at + 2048));
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return Math.min(length, at + 2048);
    const head = this.#head.slice(0, end);
    this.#head = '';
    this.#status = Number(head.slice(9, 12));
    const declared = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#left = Number(declared ?? 0);
    if (declared === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) this.#mode = 'chunk-size';
    else if (this.#left > 0) this.#mode = 'body';
    else this.#finish();
    return at + end + 4 - before;
  }

  #readBody(chunk: Buffer, at: number, length: number): number {
    const take = Math.min(this.#left, length - at);
    if (this.keep) this.#parts.push(Buffer.from(chunk.subarray(at, at + take)));
    this.#left -= take;
    if (this.#left === 0) {
      if (this.#mode === 'chunk') this.#mode = 'chunk-end';
      else this.#finish();
    }
    return at + take;
  }

  #readLine(chunk: Buffer, at: number): number {
    const letter = chunk[at] ?? 0;
    if (letter !== 10) {
      this.#line += String.fromCharCode(letter);
      return at + 1;
    }
    const line = this.#line.trim();
    this.#line = '';
    if (this.#mode === 'chunk-size') {
      this.#left = Number.parseInt(line, 16);
      this.#mode = this.#left === 0 ? 'trailer' : 'chunk';
    } else if (this.#mode === 'chunk-end') this.#mode = 'chunk-size';
    else if (line === '') this.#finish();
    return at + 1;
  }

  #finish(): void {
    this.#mode = 'head';
    const body = this.#parts.length === 0 ? '' : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#onReply(this.#status, body);
  }
}
