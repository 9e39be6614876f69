import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isPublicAddress, isPublicUrl } from './addresses.ts';

export type Page = { url: URL; html: string };
type Address = { address: string; family: number };
export type Resolve = (host: string) => Promise<Address[]>;

export type PageOptions = {
  /** `host:port` of sites that are reached wherever they are. */
  allowed: ReadonlySet<string>;
  resolve?: Resolve;
  timeoutMs?: number;
};

const mostBytes = 1024 * 1024;
const mostRedirects = 4;
const totalMs = 2000;
const userAgent = 'Mozilla/5.0 (compatible; ParleyLinkPreview/1.0)';

/** There is no page. The caller gets no reason: names inside a network are nobody's business. */
class NoPage extends Error {}

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** A look-up cannot be called off: it is left behind when the time is over. */
const inTime = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => reject(new NoPage('out of time'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });

/** The address that will be connected to. A name with one private address among others is refused as a whole. */
const checkedAddress = async (url: URL, resolve: Resolve): Promise<Address> => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  const bad = found.find(({ address }) => !isPublicAddress(address));
  const [first] = found;
  if (bad || !first) throw new NoPage('the name leads to no public address');
  return first;
};

/** Answers every question of the socket with the address that was checked: the name is not looked up again. */
const pinned =
  ({ address, family }: Address): LookupFunction =>
  (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family);

const get = (url: URL, pin: Address | undefined, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(
      url,
      {
        signal,
        agent: false,
        ...(pin ? { lookup: pinned(pin) } : {}),
        headers: {
          accept: 'text/html,application/xhtml+xml',
          'accept-encoding': 'identity',
          'accept-language': 'en',
          'user-agent': userAgent,
        },
        maxHeaderSize: 32 * 1024,
      },
      resolve,
    );
    request.once('error', reject);
    request.end();
  });

const decoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Some send it packed although we asked them not to. The limit is on what comes out. */
const unpacked = (answer: IncomingMessage): AsyncIterable<Buffer> => {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return answer;
  const decoder = decoders[encoding]?.();
  if (!decoder) throw new NoPage(`packed as ${encoding}`);
  answer.once('error', (error) => decoder.destroy(error));
  return answer.pipe(decoder);
};

const readStart = async (answer: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpacked(answer)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= mostBytes) break;
  }
  answer.destroy();
  return Buffer.concat(chunks).subarray(0, mostBytes);
};

const decode = (bytes: Buffer, contentType: string): string => {
  const said = /charset\s*=\s*["']?([\w:.-]+)/i;
  const label = said.exec(contentType)?.[1] ?? said.exec(bytes.toString('latin1', 0, 2048))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};

/** Reads the beginning of a page on the open web. Every step of a redirect is checked like the first. */
export const fetchPage = async (start: URL, options: PageOptions): Promise<Page> => {
  const signal = AbortSignal.timeout(options.timeoutMs ?? totalMs);
  let url = start;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const isAllowed = url.protocol === 'http:' && options.allowed.has(url.host);
    if (!isAllowed && !isPublicUrl(url)) throw new NoPage('no public URL');
    const pin = isAllowed
      ? undefined
      : await inTime(checkedAddress(url, options.resolve ?? systemResolve), signal);
    const answer = await get(url, pin, signal);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      answer.destroy();
      if (!URL.canParse(location, url.href)) throw new NoPage('a redirect to nowhere');
      url = new URL(location, url);
      continue;
    }
    const contentType = answer.headers['content-type'] ?? '';
    if (status !== 200 || !/^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)) {
      answer.destroy();
      throw new NoPage(`status ${status}, ${contentType}`);
    }
    return { url, html: decode(await readStart(answer), contentType) };
  }
  throw new NoPage('too many redirects');
};
