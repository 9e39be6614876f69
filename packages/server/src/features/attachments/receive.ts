import type { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { invalid, ParleyError } from '@parley/protocol';
import type { Clock } from '../../lib/clock.ts';
import { toError } from '../../lib/to-error.ts';

/** The file of a form while it arrives. */
export type IncomingFile = { name: string | undefined; chunks: AsyncIterable<Buffer> };
export type Form<T> = { fields: Record<string, string>; file: T };

export type FormRules = {
  fileBytes: number;
  fields: string[];
  clock: Clock;
  /** Called with the bytes of the file so far; what it throws refuses the upload. */
  take: (bytes: number) => void;
};

const idleMs = 60_000;
/** A byte a minute is not idle: the whole has its time too, that of a file of the largest size on a slow line. */
const leastWholeMs = 10 * 60_000;
const mostWholeMs = 24 * 3_600_000;
const slowBytesPerMs = 32;
const wholeMsOf = (fileBytes: number): number =>
  Math.min(mostWholeMs, Math.max(leastWholeMs, fileBytes / slowBytesPerMs));

export const tooLarge = (most: number): ParleyError =>
  new ParleyError('PayloadTooLarge', `The file is over ${most} bytes`, [
    { path: 'file', message: `must have at most ${most} bytes` },
  ]);

const open = (request: IncomingMessage, { fileBytes, fields }: FormRules): BusboyInstance => {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? ''))
    throw invalid('content-type', 'must be multipart/form-data');
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      // One more than is allowed, so that what has exactly the limit is not taken for what has more.
      limits: { fileSize: fileBytes + 1, files: 2, fields: 10, parts: 12, fieldSize: 1024, headerPairs: 20 },
      fileHwm: 256 * 1024,
      highWaterMark: 256 * 1024,
    });
  } catch {
    throw invalid('content-type', `must name the boundary of its parts (fields: file, ${fields.join(', ')})`);
  }
};

/** This many chunks wait before the stream is paused. */
const mostWaiting = 4;

/** Piece by piece, as they came. The stream's own iterator joins what waits into a copy, and what was copied stays until
 * the collector comes: most of a file, and one never knows when. */
async function* piecesOf(stream: Readable): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let wake = (): void => undefined;
  let end: { error: Error | null | undefined } | undefined;
  finished(stream, { writable: false }, (error) => {
    end = { error };
    wake();
  });
  stream.on('data', (piece: Buffer) => {
    if (waiting.push(piece) >= mostWaiting) stream.pause();
    wake();
  });
  for (;;) {
    for (let next = waiting.shift(); next; next = waiting.shift()) yield next;
    if (end?.error) throw end.error;
    if (end) return;
    stream.resume();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

/** Counts what passes and stops at the limit, or where the person's room ends. */
async function* limited(stream: Readable, { fileBytes, take }: FormRules): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of piecesOf(stream)) {
    bytes += chunk.length;
    if (bytes > fileBytes) throw tooLarge(fileBytes);
    take(bytes);
    yield chunk;
  }
}

const tooSlow = (wholeMs: number): ParleyError =>
  invalid('file', `must arrive within ${Math.round(wholeMs / 60_000)} minutes`);
const cutOff = (): ParleyError => invalid('file', 'The form ends before its last part does');

/** Used instead of `pipeline`, which ends the connection when the parser fails, and the caller would not get the reason. */
const arrive = (request: IncomingMessage, parser: BusboyInstance): Promise<void> =>
  new Promise((resolve, reject) => {
    request.once('close', () => {
      if (!request.complete) reject(cutOff());
    });
    // The connection broke: that is the caller's doing, and no failure of the server.
    request.once('error', () => reject(cutOff()));
    parser.once('finish', resolve);
    parser.once('error', () => reject(cutOff()));
    request.pipe(parser);
  });

/** Reads a form with one file in it as it arrives; `take` is given the file and must read it to its end or throw.
 * A form that is refused half-way is read no further, but the caller still gets the reason. */
export const readForm = async <T>(
  request: IncomingMessage,
  rules: FormRules,
  take: (file: IncomingFile) => Promise<T>,
): Promise<Form<T>> => {
  const parser = open(request, rules);
  const fields: Record<string, string> = {};
  let current: BusboyFileStream | undefined;
  let taken: Promise<T> | undefined;
  const refusal = Promise.withResolvers<never>();
  refusal.promise.catch(() => undefined);

  parser.on('field', (name, value, nameCut, valueCut) => {
    if (name === 'file') refusal.reject(invalid('file', 'must be a file with a name'));
    else if (!rules.fields.includes(name)) refusal.reject(invalid(name, 'is not known here'));
    else if (nameCut || valueCut) refusal.reject(invalid(name, 'is too long'));
    else fields[name] = value;
  });
  parser.on('file', (name, stream, filename) => {
    stream.on('error', () => undefined);
    if (name !== 'file' || taken) {
      stream.resume();
      refusal.reject(invalid(name, name === 'file' ? 'may be sent once' : 'is not known here'));
      return;
    }
    current = stream;
    taken = take({ name: filename, chunks: limited(stream, rules) });
    taken.catch(refusal.reject);
  });
  const wholeMs = wholeMsOf(rules.fileBytes);
  const whole = rules.clock.setTimeout(() => refusal.reject(tooSlow(wholeMs)), wholeMs);
  request.setTimeout(idleMs, () => request.destroy(new Error('The upload stood still')));
  try {
    await Promise.race([arrive(request, parser), refusal.promise]);
    if (!taken) throw invalid('file', 'is required');
    return { fields, file: await Promise.race([taken, refusal.promise]) };
  } catch (error) {
    request.unpipe(parser);
    current?.destroy(toError(error));
    request.resume();
    // The file must have been let go of before anything is cleaned up.
    await taken?.catch(() => undefined);
    throw error;
  } finally {
    whole.stop();
    request.setTimeout(0);
  }
};

/** Reads on after a refusal, so that the caller gets the reason, but not for ever: each such request holds a connection. */
export const drain = (request: IncomingMessage, clock: Clock): void => {
  if (request.complete || request.destroyed) return;
  request.resume();
  const end = clock.setTimeout(() => request.destroy(), idleMs);
  request.once('close', () => end.stop());
};
