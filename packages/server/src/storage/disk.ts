import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../lib/code-of.ts';
import { createLine } from '../lib/line.ts';
import { release } from './release.ts';
import { type ByteRange, type Storage, StorageError } from './storage.ts';

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const failure = (doing: string, cause: unknown): StorageError =>
  new StorageError(`The file could not be ${doing} (${codeOf(cause) ?? 'unknown'})`, {
    cause,
    isFull: fullCodes.has(codeOf(cause) ?? ''),
  });

/** A failure of the source is the source's; only the disk's own become ours. */
const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw failure('written', cause);
  });

/** One after the other: twenty at once would keep the disk from the database, and every send from its commit. */
const flushInLine = createLine(1);

/** Written in one go: a write for every chunk of the network would cost more than the copying. */
const batchBytes = 512 * 1024;

/** Writes one batch while the next is filled; a failure is thrown by the next call. */
const createWriter = (file: FileHandle) => {
  let writing = Promise.resolve();
  return {
    async write(batch: Buffer[]): Promise<void> {
      await writing;
      writing = onDisk(writeBatch(file, batch)).then(() => release(batch));
      writing.catch(() => undefined);
    },
    end: () => writing,
  };
};

/** Writes a new file from what comes, and waits until the disk has it. */
export const writeStream = async (path: string, source: AsyncIterable<Buffer>): Promise<number> => {
  const file = await onDisk(open(path, 'wx', 0o600));
  const writer = createWriter(file);
  let bytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  try {
    for await (const chunk of source) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      bytes += chunk.length;
      if (waitingBytes < batchBytes) continue;
      await writer.write(waiting);
      waiting = [];
      waitingBytes = 0;
    }
    await writer.write(waiting);
    await writer.end();
    // An acknowledged file must survive a power failure.
    await flushInLine(() => onDisk(file.datasync()));
    return bytes;
  } finally {
    await writer.end().catch(() => undefined);
    await file.close();
  }
};

/** A disk that is nearly full takes a part and reports no failure: the rest then says why. */
const writeBatch = async (file: FileHandle, batch: Buffer[]): Promise<void> => {
  if (batch.length === 0) return;
  const bytes = batch.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } = await file.writev(batch);
  if (bytesWritten === bytes) return;
  await file.writeFile(Buffer.concat(batch).subarray(bytesWritten));
};

/** Files in a folder, two levels deep by the first letters of the key. */
export const createDiskStorage = (root: string): Storage => {
  const pathOf = (key: string): string => join(root, key.slice(0, 2), key);
  return {
    async put(key, source) {
      const path = pathOf(key);
      const part = `${path}.part`;
      await onDisk(mkdir(dirname(path), { recursive: true }));
      try {
        const bytes = await writeStream(part, source);
        await onDisk(rename(part, path));
        return bytes;
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async get(key: string, range?: ByteRange) {
      try {
        const file = await open(pathOf(key), 'r');
        return createReadStream('', { fd: file, ...range, highWaterMark: 256 * 1024 });
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw failure('read', error);
      }
    },
    async remove(key) {
      try {
        await rm(pathOf(key), { force: true });
        await rm(`${pathOf(key)}.part`, { force: true });
      } catch (error) {
        throw failure('removed', error);
      }
    },
  };
};
