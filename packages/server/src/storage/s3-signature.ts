import { createHash, createHmac } from 'node:crypto';

export type S3Keys = { accessKey: string; secretKey: string; region: string };
export type S3Request = {
  method: string;
  url: URL;
  headers: Record<string, string>;
  /** SHA-256 of the body in hex. */
  bodyHash: string;
};

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** Escapes as AWS wants it: everything but A–Z a–z 0–9 - . _ ~ is escaped. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');

const canonicalPath = (url: URL): string =>
  url.pathname
    .split('/')
    .map((part) => escaped(decodeURIComponent(part)))
    .join('/');

/** The headers of a request with its AWS Signature Version 4. */
export const signS3 = (request: S3Request, keys: S3Keys, now: Date): Record<string, string> => {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': time,
  };
  const names = Object.keys(headers).sort();
  const signedHeaders = names.join(';');
  const canonical = [
    request.method,
    canonicalPath(request.url),
    canonicalQuery(request.url),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    signedHeaders,
    request.bodyHash,
  ].join('\n');
  const scope = `${day}/${keys.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const steps = [day, keys.region, 's3', 'aws4_request'];
  const key = steps.reduce<string | Buffer>((at, step) => hmac(at, step), `AWS4${keys.secretKey}`);
  const signature = hmac(key, text).toString('hex');
  const { host, ...sent } = headers;
  const credential = `Credential=${keys.accessKey}/${scope}`;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
};
