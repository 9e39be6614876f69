import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

export type Encoding = 'br' | 'gzip';

/** Smaller replies fit into one packet either way. */
const leastBytes = 1024;
const isText = /^(application\/(json|schema\+json|problem\+json)|text\/|image\/svg\+xml)/;

/** Our encodings that an `accept-encoding` header allows, the better one first. */
export const encodingFor = (header: string | undefined): Encoding | undefined => {
  if (header === undefined || header === '') return undefined;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const allows = (name: string): boolean => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (weights.has('br') && allows('br')) return 'br';
  return allows('gzip') || (weights.has('x-gzip') && allows('x-gzip')) ? 'gzip' : undefined;
};

/** Browsers send one of a few headers, again and again. */
const createEncodingCache = () => {
  const known = new Map<string, Encoding | undefined>();
  return (header: string | undefined): Encoding | undefined => {
    if (header === undefined) return undefined;
    if (known.has(header)) return known.get(header);
    const encoding = encodingFor(header);
    if (known.size < 100) known.set(header, encoding);
    return encoding;
  };
};

type Done = (error: Error | null, bytes: Buffer) => void;

/** The quickest levels, in the thread pool: at these a reply is a tenth of its size, and the event loop goes on. */
const compressors: Record<Encoding, (text: string, size: number, done: Done) => void> = {
  br: (text, size, done) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
    };
    brotliCompress(text, { params }, done);
  },
  gzip: (text, _size, done) => gzip(text, { level: 1 }, done),
};

/** Text as it is sent: perhaps in an encoding that the caller takes. `varies`: a cache between may hold it for others. */
export type Compressed = { body: string | Buffer; encoding: Encoding | undefined; varies: boolean };
export type Compress = (
  text: string,
  accepted: string | undefined,
  done: (result: Compressed) => void,
) => void;

/** Text over 1 kB is compressed for whoever asks for it. */
export const createCompress = (): Compress => {
  const encodingOf = createEncodingCache();
  return (text, accepted, done) => {
    const size = text.length * 3 < leastBytes ? 0 : Buffer.byteLength(text);
    const varies = size >= leastBytes;
    const encoding = varies ? encodingOf(accepted) : undefined;
    if (encoding === undefined) return done({ body: text, encoding, varies });
    compressors[encoding](text, size, (error, bytes) =>
      done(error ? { body: text, encoding: undefined, varies } : { body: bytes, encoding, varies }),
    );
  };
};

/** The header `vary` with one more name. */
export const varyOn = (known: string | undefined): string => {
  if (known === undefined) return 'accept-encoding';
  return /accept-encoding|\*/i.test(known) ? known : `${known}, accept-encoding`;
};

/** Compresses the replies of the framework. Files have their own way: their twins lie on the disk. */
export const addCompression = (app: FastifyInstance, compress: Compress): void => {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isOurs = typeof payload === 'string' && isText.test(String(reply.getHeader('content-type')));
    if (!isOurs || reply.hasHeader('content-encoding')) return done(null, payload);
    const accepted = request.method === 'HEAD' ? undefined : request.headers['accept-encoding'];
    compress(payload, accepted, ({ body, encoding, varies }) => {
      if (varies) reply.header('vary', varyOn(reply.getHeader('vary')?.toString()));
      if (encoding) reply.header('content-encoding', encoding).removeHeader('content-length');
      done(null, body);
    });
  });
};
