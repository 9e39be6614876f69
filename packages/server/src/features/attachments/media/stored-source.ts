import type { Storage } from '../../../storage/storage.ts';
import type { Source } from './source.ts';

const blockBytes = 64 * 1024;
const mostBlocks = 8;

/** A stored file read in blocks: a parser asks for a few bytes many times, a store is asked once. */
export const createStoredSource = (storage: Storage, key: string, size: number): Source => {
  const blocks = new Map<number, Promise<Buffer>>();

  const load = async (start: number): Promise<Buffer> => {
    const stream = await storage.get(key, { start, end: Math.min(start + blockBytes, size) - 1 });
    return stream ? Buffer.concat(await stream.toArray()) : Buffer.alloc(0);
  };

  const block = (index: number): Promise<Buffer> => {
    const known = blocks.get(index);
    if (known) return known;
    const [oldest] = blocks.keys();
    if (blocks.size >= mostBlocks && oldest !== undefined) blocks.delete(oldest);
    const loading = load(index * blockBytes);
    blocks.set(index, loading);
    return loading;
  };

  return {
    size,
    async read(start, length) {
      const end = Math.min(start + length, size);
      const pieces: Buffer[] = [];
      for (let at = start; at < end; ) {
        const index = Math.floor(at / blockBytes);
        const from = at - index * blockBytes;
        const piece = (await block(index)).subarray(from, from + end - at);
        if (piece.length === 0) break;
        pieces.push(piece);
        at += piece.length;
      }
      return Buffer.concat(pieces);
    },
  };
};
