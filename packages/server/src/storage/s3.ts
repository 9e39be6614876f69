import { Readable } from 'node:stream';
import { release } from './release.ts';
import { type S3Keys, sha256, signS3 } from './s3-signature.ts';
import { type ByteRange, type Storage, type StorageConfig, StorageError } from './storage.ts';

type S3Config = Extract<StorageConfig, { kind: 's3' }>;
type Sent = { query?: Record<string, string>; headers?: Record<string, string>; body?: Buffer };

/** The least that a part of a multipart upload may have, and the most of a file that is in memory at once. */
const partBytes = 5 * 1024 * 1024;
const answerMs = 30_000;
const mostTries = 3;

const emptyHash = sha256('');
const textOf = (xml: string, tag: string): string | undefined =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];

const createRequester = (config: S3Config) => {
  const keys: S3Keys = config;
  const base =
    config.endpoint === undefined
      ? `https://${config.bucket}.s3.${config.region}.amazonaws.com`
      : `${config.endpoint}/${config.bucket}`;
  const prefix = config.prefix === '' ? '' : `${config.prefix}/`;

  const once = async (method: string, key: string, sent: Sent): Promise<Response> => {
    const url = new URL(`${base}/${prefix}${key}`);
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, value);
    const bodyHash = sent.body === undefined ? emptyHash : sha256(sent.body);
    const headers = signS3({ method, url, headers: sent.headers ?? {}, bodyHash }, keys, new Date());
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    try {
      // The limit is for the answer to begin: a large file may take longer to read.
      return await fetch(url, {
        method,
        headers,
        signal: late.signal,
        redirect: 'error',
        ...(sent.body === undefined ? {} : { body: new Uint8Array(sent.body) }),
      });
    } finally {
      clearTimeout(timer);
    }
  };

  /** A temporary failure of the store is retried; every request may be made twice. */
  return async (method: string, key: string, sent: Sent = {}): Promise<Response> => {
    for (let tries = 1; ; tries++) {
      const answer = await once(method, key, sent).catch((cause: unknown) => {
        if (tries >= mostTries) throw new StorageError('The object store cannot be reached', { cause });
        return undefined;
      });
      if (answer && (answer.status < 500 || tries >= mostTries)) return answer;
      await answer?.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tries));
    }
  };
};

const expectOk = async (answer: Response, doing: string): Promise<string> => {
  const text = await answer.text();
  if (answer.ok) return text;
  const code = textOf(text, 'Code') ?? 'no code';
  throw new StorageError(`The object store refused to ${doing}: ${answer.status} ${code}`, {
    isFull: answer.status === 507 || /QuotaExceeded|StorageFull/.test(code),
  });
};

const join = (chunks: Buffer[]): Buffer => {
  const part = Buffer.concat(chunks);
  release(chunks);
  return part;
};

/** The source in parts of the least size a store takes; only the last may be smaller. */
async function* partsOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    yield join(waiting);
    waiting = [];
    bytes = 0;
  }
  yield join(waiting);
}

/** Any S3-compatible store. */
export const createS3Storage = (config: S3Config): Storage => {
  const request = createRequester(config);

  const putParts = async (key: string, parts: AsyncGenerator<Buffer>, first: Buffer): Promise<number> => {
    const begun = await expectOk(await request('POST', key, { query: { uploads: '' } }), 'begin an upload');
    const uploadId = textOf(begun, 'UploadId') ?? '';
    try {
      const tags: string[] = [];
      let bytes = 0;
      const send = async (body: Buffer) => {
        const query = { partNumber: String(tags.length + 1), uploadId };
        const answer = await request('PUT', key, { query, body });
        await expectOk(answer, 'store a part');
        tags.push(answer.headers.get('etag') ?? '');
        bytes += body.length;
      };
      await send(first);
      for await (const part of parts) if (part.length > 0) await send(part);
      const list = tags.map(
        (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
      const done = await expectOk(await request('POST', key, { query: { uploadId }, body }), 'end an upload');
      // A store may begin its answer with 200 before it knows.
      if (done.includes('<Error>')) throw new StorageError('The object store could not join the parts');
      return bytes;
    } catch (error) {
      await request('DELETE', key, { query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  };

  return {
    async put(key, source) {
      const parts = partsOf(source);
      const { value: first } = await parts.next();
      if (first.length >= partBytes) return putParts(key, parts, first);
      await parts.return(undefined);
      await expectOk(await request('PUT', key, { body: first }), 'store a file');
      return first.length;
    },
    async get(key: string, range?: ByteRange) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const answer = await request('GET', key, { headers });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return undefined;
      }
      if (!answer.ok || !answer.body) {
        await expectOk(answer, 'read a file');
        throw new StorageError('The object store gave no content');
      }
      return Readable.fromWeb(answer.body as never);
    },
    async remove(key) {
      const answer = await request('DELETE', key);
      if (answer.status === 404) await answer.body?.cancel();
      else await expectOk(answer, 'remove a file');
    },
  };
};
