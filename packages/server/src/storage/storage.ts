import type { Readable } from 'node:stream';

export type StorageConfig =
  | { kind: 'disk'; root: string }
  | {
      kind: 's3';
      bucket: string;
      prefix: string;
      region: string;
      /** Undefined: that of Amazon. Another one is addressed by path. */
      endpoint: string | undefined;
      accessKey: string;
      secretKey: string;
    };

/** Both ends included. */
export type ByteRange = { start: number; end: number };

/** The store for the bytes of files. Keys are made by us, never from names that people chose. */
export type Storage = {
  /** Stores all of the source or nothing; returns how many bytes. Holds no more than a part of it in memory. The chunks are
   * the store's from then on: their memory may be given back as soon as they are written. */
  put(key: string, source: AsyncIterable<Buffer>): Promise<number>;
  /** Undefined when there is nothing under the key. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes the bytes, also those that a put left when it was cut off. A missing key is no failure. */
  remove(key: string): Promise<void>;
};

/** The store cannot take or give: full, away, or refusing us. */
export class StorageError extends Error {
  readonly isFull: boolean;
  constructor(message: string, options: { cause?: unknown; isFull?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isFull = options.isFull ?? false;
  }
}
