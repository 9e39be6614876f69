/** HS256 tokens by WebCrypto, in Node and wherever else a server runs. */
type Claims = Record<string, unknown>;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const createSigner = (secret: string) => {
  const key = globalThis.crypto.subtle.importKey(
    'raw',
    encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  return async (claims: Claims): Promise<string> => {
    const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
      base64url(encode(JSON.stringify(part))),
    );
    const signed = parts.join('.');
    const signature = await globalThis.crypto.subtle.sign('HMAC', await key, encode(signed));
    return `${signed}.${base64url(new Uint8Array(signature))}`;
  };
};
