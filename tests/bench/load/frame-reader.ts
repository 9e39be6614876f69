export type FrameSink = {
  /** A whole text or binary frame went by. `text` is there only while the reader keeps payloads. */
  onData(frame: { first: number; bytes: number; matched: boolean; text: string | undefined }): void;
  /** Ping, pong and close, with their payload. */
  onControl(opcode: number, payload: Buffer): void;
};

const empty = Buffer.alloc(0);

/**
 * Counts the frames a server sends without decoding them: headers are parsed, payloads are skipped after the bytes
 * that are compared with `prefix`. A decoder per frame would make the generator the bottleneck it is to measure.
 */
export class FrameReader {
  /** Payloads of data frames are decoded while this is true. */
  keep = false;
  readonly #sink: FrameSink;
  readonly #prefix: Buffer;
  readonly #head = Buffer.alloc(10);
  // One object for all frames: 300 000 frames a second would otherwise be as many objects.
  readonly #frame = { first: 0, bytes: 0, matched: false, text: undefined as string | undefined };
  #have = 0;
  #open = false;
  #opcode = 0;
  #left = 0;
  #seen = 0;
  #matched = false;
  #parts: Buffer[] = [];

  constructor(sink: FrameSink, prefix = '') {
    this.#sink = sink;
    this.#prefix = Buffer.from(prefix, 'latin1');
  }

  feed(chunk: Buffer, start: number, end: number): void {
    let at = start;
    while (at < end) {
      if (!this.#open) at = this.#readHeader(chunk, at, end);
      if (this.#open) at = this.#readPayload(chunk, at, end);
    }
  }

  #readHeader(chunk: Buffer, at: number, end: number): number {
    if (this.#have === 0 && end - at >= 4) {
      const code = (chunk[at + 1] ?? 0) & 127;
      if (code < 126) return this.#begin(chunk[at] ?? 0, code, at + 2);
      if (code === 126) return this.#begin(chunk[at] ?? 0, chunk.readUInt16BE(at + 2), at + 4);
    }
    const head = this.#head;
    head[this.#have++] = chunk[at] ?? 0;
    if (this.#have < 2) return at + 1;
    const code = (head[1] ?? 0) & 127;
    if (this.#have < (code < 126 ? 2 : code === 126 ? 4 : 10)) return at + 1;
    const length = code < 126 ? code : code === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
    return this.#begin(head[0] ?? 0, length, at + 1);
  }

  #begin(lead: number, length: number, next: number): number {
    this.#opcode = lead & 15;
    if (this.#opcode === 0 || (lead & 0xf0) !== 0x80)
      throw new Error(`cannot count frame 0x${lead.toString(16)}`);
    this.#have = 0;
    this.#open = true;
    this.#left = length;
    this.#seen = 0;
    this.#matched = true;
    return next;
  }

  #readPayload(chunk: Buffer, at: number, end: number): number {
    const take = Math.min(this.#left, end - at);
    const prefix = this.#prefix;
    if (this.#seen === 0 && take > 0) this.#frame.first = chunk[at] ?? 0;
    const until = Math.min(prefix.length - this.#seen, take);
    for (let i = 0; i < until && this.#matched; i++) this.#matched = chunk[at + i] === prefix[this.#seen + i];
    // The chunk is the shared read buffer: what is kept must be copied.
    if (this.keep || this.#opcode >= 8) this.#parts.push(Buffer.from(chunk.subarray(at, at + take)));
    this.#left -= take;
    this.#seen += take;
    if (this.#left === 0) this.#finish();
    return at + take;
  }

  #finish(): void {
    this.#open = false;
    const parts = this.#parts;
    const payload =
      parts.length === 0 ? empty : parts.length === 1 ? (parts[0] ?? empty) : Buffer.concat(parts);
    if (parts.length > 0) this.#parts = [];
    if (this.#opcode >= 8) {
      this.#sink.onControl(this.#opcode, payload);
      return;
    }
    const frame = this.#frame;
    frame.bytes = this.#seen;
    frame.matched = this.#matched && this.#seen >= this.#prefix.length;
    frame.text = this.keep ? payload.toString('utf8') : undefined;
    this.#sink.onData(frame);
  }
}
