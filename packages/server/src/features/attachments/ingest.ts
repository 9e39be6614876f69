import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid, ParleyError, texts } from '@parley/protocol';
import type { Kernel } from '../../kernel/kernel.ts';
import { writeStream } from '../../storage/disk.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import { SlowImage } from './image-worker.ts';
import type { Images } from './images.ts';
import { isMedia, readMedia } from './media/read-media.ts';
import { createStoredSource } from './media/stored-source.ts';
import { safeName } from './names.ts';
import { isPicture, UnreadableImage } from './pictures.ts';
import type { IncomingFile } from './receive.ts';
import { headBytes, isBlocked, typeOf } from './sniff.ts';
import { workFolder } from './work-folder.ts';

/** The facts of a file once its bytes are stored. */
export type IngestedFile = {
  name: string;
  mime_type: string;
  size: number;
  width: number | null;
  height: number | null;
  duration: number | null;
  has_thumb: boolean;
};

type Begun = { head: Buffer; all: AsyncGenerator<Buffer> };
/** The upload that is to be ingested, and its owner. */
export type Order = { id: string; kind: 'file' | 'image'; userId: string };

const plain = { width: null, height: null, duration: null, has_thumb: false };

/** Reads enough bytes to detect the type, and gives them back with the rest. */
const begin = async (chunks: AsyncIterable<Buffer>): Promise<Begun> => {
  const source = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const next = await source.next();
    if (next.done) break;
    first.push(next.value);
    bytes += next.value.length;
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield* first.splice(0);
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  };
  return { head: Buffer.concat(first).subarray(0, headBytes), all: all() };
};

/** Ingests a file as it arrives: detects its type, refuses blocked ones, and stores it. */
export const createIngest = (kernel: Kernel, storage: Storage, images: Images) => {
  const { uploads } = kernel.config;

  const storePicture = async ({ id, userId }: Order, type: string, path: string) => {
    const made = await images.make(userId, { path, type, rules: { pixels: uploads.imagePixels } });
    const size = await storage.put(id, createReadStream(made.path));
    await storage.put(`${id}.thumb`, createReadStream(made.thumbPath));
    return { ...plain, mime_type: type, size, width: made.width, height: made.height, has_thumb: true };
  };

  /** A picture that cannot be decoded is no picture: as a file it is kept, but nobody is shown it. */
  const ingestPicture = async (order: Order, type: string, { all }: Begun) => {
    images.check(order.userId);
    const home = workFolder(kernel);
    const folder = await mkdir(home, { recursive: true })
      .then(() => mkdtemp(join(home, 'x')))
      .catch((cause: unknown) => {
        throw new StorageError('There is no folder to work in', { cause });
      });
    const path = join(folder, 'given');
    try {
      await writeStream(path, all);
      return await storePicture(order, type, path);
    } catch (error) {
      if (!(error instanceof UnreadableImage)) throw error;
      if (order.kind === 'image')
        throw invalid('file', error instanceof SlowImage ? 'takes too long to read' : 'is a broken image');
      return {
        ...plain,
        mime_type: 'application/octet-stream',
        size: await storage.put(order.id, createReadStream(path)),
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  const ingestFile = async (id: string, type: string, { all }: Begun) => {
    const size = await storage.put(id, all);
    const { isSound, ...facts } = isMedia(type)
      ? await readMedia(type, createStoredSource(storage, id, size))
      : {};
    const mimeType = isSound ? type.replace(/^video\/(mp4|webm)$/, 'audio/$1') : type;
    return { ...plain, ...facts, mime_type: mimeType, size };
  };

  return async (order: Order, file: IncomingFile): Promise<IngestedFile> => {
    const { id, kind } = order;
    const name = safeName(file.name);
    const begun = await begin(file.chunks);
    const type = typeOf(begun.head, name);
    if (isBlocked(uploads.blocked, type, name))
      throw new ParleyError('MessageBlocked', texts.uploadBlocked, [
        { path: 'file', message: `${type} is blocked` },
      ]);
    if (kind === 'image' && !isPicture(type))
      throw invalid('file', `must be a JPEG, PNG, GIF, WebP or AVIF image, not ${type}`);
    const facts = isPicture(type)
      ? await ingestPicture(order, type, begun)
      : await ingestFile(id, type, begun);
    return { name, ...facts };
  };
};
