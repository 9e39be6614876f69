import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

export type Encoding = 'br' | 'gzip';

/** Smaller replies fit into one packet either way. */
const leastBytes = 1024;
const isText = /^(application\/(json|schema\+json|problem\+json)|text\/|image\/svg\+xml)/;

/** Which of our encodings an `accept-encoding` header allows, the better one first. */
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

const addVary = (reply: FastifyReply): void => {
  const known = reply.getHeader('vary');
  if (known === undefined) reply.header('vary', 'accept-encoding');
  else if (!/accept-encoding|\*/i.test(String(known))) reply.header('vary', `${known}, accept-encoding`);
};

/** Text over 1 kB goes out compressed to whoever asks for it. Files have their own way: their twins lie on the disk. */
export const addCompression = (app: FastifyInstance): void => {
  const encodingOf = createEncodingCache();
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (typeof payload !== 'string' || payload.length * 3 < leastBytes) return done(null, payload);
    const size = Buffer.byteLength(payload);
    const isOurs = size >= leastBytes && isText.test(String(reply.getHeader('content-type')));
    if (!isOurs || reply.hasHeader('content-encoding')) return done(null, payload);
    // Also where it is sent as it is: a cache between may hold it for others.
    addVary(reply);
    const encoding = encodingOf(request.headers['accept-encoding']);
    if (encoding === undefined || request.method === 'HEAD') return done(null, payload);
    compressors[encoding](payload, size, (error, bytes) => {
      if (error) return done(null, payload);
      reply.header('content-encoding', encoding).removeHeader('content-length');
      done(null, bytes);
    });
  });
};
