import { ParleyError } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../auth/actor.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { credentialsOf } from '../../http/caller.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ByteRange, Storage } from '../../storage/storage.ts';
import type { FileAccess } from './file-access.ts';
import { disposition } from './names.ts';
import { wantedRange } from './range.ts';
import type { FileRow } from './record.ts';
import type { Signer } from './signing.ts';
import { findFile } from './store.ts';

type Deps = {
  kernel: Kernel;
  authenticator: Authenticator;
  storage: Storage;
  fileAccess: FileAccess;
  signer: Signer;
};
type FileAddress = { Params: { id: string }; Querystring: Record<string, unknown> };
type FileRequest = FastifyRequest<FileAddress>;
type Shown = {
  file: FileRow;
  key: string;
  name: string;
  type: string;
  size: number | undefined;
  cache: string;
};

/** The types that a browser may show by itself. None of them can run: no SVG, no HTML, no PDF, no XML. */
const shownTypes =
  /^(image\/(jpeg|png|gif|webp|avif|bmp)|video\/(mp4|webm|ogg|quicktime)|audio\/(mpeg|mp4|ogg|wav|webm|flac|aac))$/;
const inert = 'application/octet-stream';

/** Even opened as a page of its own nothing of it may load, run or send. */
const safety = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

const notFound = () => new ParleyError('NotFound', 'No such file');

/** An If-Range that names another version, or a time before this one, asks for the whole. */
const rangeHolds = (request: FastifyRequest, etag: string, modified: string): boolean => {
  const given = request.headers['if-range'];
  if (given === undefined || given === etag) return true;
  return typeof given === 'string' && Date.parse(given) >= Math.floor(Date.parse(modified) / 1000) * 1000;
};

const isKnown = (request: FastifyRequest, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/** How long a copy may be kept, for someone who may read the file; undefined for everyone else. */
const createGate = ({ kernel, authenticator, fileAccess, signer }: Deps) => {
  const actorOf = (request: FastifyRequest): Promise<Actor> => {
    const credentials = credentialsOf(request);
    if (credentials.token !== undefined) return authenticator.authenticate(credentials);
    return authenticator.authenticate({
      apiKey: kernel.config.apiKey,
      token: undefined,
      authType: 'anonymous',
    });
  };
  return async (request: FileRequest, file: FileRow): Promise<string | undefined> => {
    const now = kernel.clock.now();
    const until = signer.verify(file.id, request.query, now);
    if (until !== undefined) return `private, max-age=${Math.floor(until - now / 1000)}, immutable`;
    const actor = await actorOf(request);
    if (!(await fileAccess.mayRead(actor, file))) return undefined;
    return actor.kind === 'anonymous' ? 'public, max-age=86400' : 'private, no-cache';
  };
};

const headersOf = ({ file, name, type, cache }: Shown, request: FileRequest, etag: string) => {
  const isShown = shownTypes.test(type);
  const asksDownload = request.query.download !== undefined;
  return {
    ...safety,
    'content-type': isShown ? type : inert,
    'content-disposition': disposition(isShown && !asksDownload ? 'inline' : 'attachment', name),
    'cache-control': cache,
    etag,
    'last-modified': new Date(file.created_at).toUTCString(),
    'accept-ranges': 'bytes',
    vary: 'authorization',
  };
};

/** Answers GET and HEAD of files. */
export const filesRoutes = (app: FastifyInstance, deps: Deps): void => {
  const { kernel, storage } = deps;
  const gate = createGate(deps);

  const open = async (request: FileRequest, variant: 'file' | 'thumb'): Promise<Shown> => {
    const file = await findFile(kernel.db, request.params.id);
    const cache = file && (variant === 'file' || file.has_thumb) ? await gate(request, file) : undefined;
    if (!file) throw notFound();
    if (cache === undefined) throw new ParleyError('NotAllowed', 'Not allowed to read this file (read-file)');
    if (variant === 'file')
      return { file, key: file.id, name: file.name, type: file.mime_type, size: file.size, cache };
    const name = `${file.name.replace(/\.[^.]*$/, '')}.webp`;
    return { file, key: `${file.id}.thumb`, name, type: 'image/webp', size: undefined, cache };
  };

  const read = async (key: string, range?: ByteRange) => {
    const stream = await storage.get(key, range).catch((error: unknown) => {
      kernel.log.error({ err: error }, 'a file could not be read');
      throw new ParleyError('Internal', 'The file cannot be read now. Try again later');
    });
    if (!stream) throw notFound();
    return stream;
  };

  const send = async (request: FileRequest, reply: FastifyReply, variant: 'file' | 'thumb') => {
    const shown = await open(request, variant);
    const etag = `"${shown.key}"`;
    const headers = headersOf(shown, request, etag);
    if (isKnown(request, etag)) return reply.code(304).headers(headers).send();
    const { size } = shown;
    // A thumbnail is small and its size is not kept: it always goes out whole.
    const asked = size === undefined || !rangeHolds(request, etag, shown.file.created_at);
    const wanted = asked ? { kind: 'all' as const } : wantedRange(request.headers.range, size);
    if (wanted.kind === 'outside')
      return reply
        .code(416)
        .headers({ ...safety, 'content-range': `bytes */${size}` })
        .send();
    const length = wanted.kind === 'part' ? wanted.range.end - wanted.range.start + 1 : size;
    const isEmpty = request.method === 'HEAD' || length === 0;
    const body = isEmpty
      ? undefined
      : await read(shown.key, wanted.kind === 'part' ? wanted.range : undefined);
    reply.headers(headers);
    if (length !== undefined) reply.header('content-length', length);
    if (wanted.kind === 'part')
      reply.code(206).header('content-range', `bytes ${wanted.range.start}-${wanted.range.end}/${size}`);
    return reply.send(body);
  };

  app.get<FileAddress>('/files/:id/:name', (request, reply) => send(request, reply, 'file'));
  app.get<FileAddress>('/files/:id/thumb/:name', (request, reply) => send(request, reply, 'thumb'));
};
