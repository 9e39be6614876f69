import { isUtf8 } from 'node:buffer';
import { invalid } from '@parley/protocol';

const mostDepth = 64;
const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** How deep the JSON text nests, or the limit plus one as soon as it is passed. */
const depthOf = (bytes: Buffer): number => {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (depth > mostDepth) return depth;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return deepest;
};

const isBadText = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

/** The path of the first string, key or value, that PostgreSQL cannot store. */
const findBadText = (value: unknown, path: string): string | undefined => {
  if (typeof value === 'string') return isBadText(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (isBadText(key)) return path === '' ? 'body' : path;
    const found = findBadText(inner, at);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Refuses by name what holds a string that cannot be stored. */
export const refuseBadText = (value: unknown): void => {
  const path = findBadText(value, '');
  if (path !== undefined) throw invalid(path, 'must hold no NUL character and no half of a surrogate pair');
};

/** The path of the first object with a key `__proto__`: copying such an object key by key would change its prototype. */
const findProtoKey = (value: unknown, path: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return path === '' ? 'body' : path;
    const found = findProtoKey(inner, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Keys may be written with escapes. */
const mayNameProto = /__proto__|\\u00(5[fF]|7[02]|6[fF]|74)/;
const suspicious = /\\u0000|\\u[dD][89a-fA-F]/;

/** Parses a JSON body. Values that could not be stored or could mislead later code are refused here, by name. */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalid('body', 'must be UTF-8');
  if (depthOf(bytes) > mostDepth) throw invalid('body', `must nest at most ${mostDepth} deep`);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('body', 'must be valid JSON');
  }
  if (mayNameProto.test(text)) {
    const path = findProtoKey(value, '');
    if (path !== undefined) throw invalid(path, '__proto__ is not a key');
  }
  if (suspicious.test(text)) refuseBadText(value);
  return value;
};
