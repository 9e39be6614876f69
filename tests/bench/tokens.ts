import { createHmac } from 'node:crypto';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const sign = (claims: Record<string, unknown>, secret: string): string => {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

export const userToken = (id: string, secret: string): string =>
  sign({ user_id: id, iat: Math.floor(Date.now() / 1000) }, secret);

export const serverToken = (secret: string): string => sign({ server: true }, secret);
