import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { refusal } from './refusal.ts';

const VERSION = 1;
const PRINT_BYTES = 12;
const MAC_BYTES = 16;
const HEADER_BYTES = 1 + PRINT_BYTES;
const MAX_LENGTH = 262_144;
const PURPOSE = 'parley cursor\0';

export type CursorKey = string | Uint8Array;

/** One value per sort key as PostgreSQL writes it, the tie-breaker last. */
export type CursorValues = readonly (string | null)[];

/** The query of a cursor: it is refused for any other resource, scope, filter, sort or actor. */
export interface CursorOwner {
  readonly resource: string;
  readonly scope: string;
  readonly filter: string;
  readonly sort: string;
  readonly actorId: string | null;
}

function fingerprint({ resource, scope, filter, sort, actorId }: CursorOwner): Buffer {
  const text = JSON.stringify([resource, scope, filter, sort, actorId]);
  return createHash('sha256').update(text).digest().subarray(0, PRINT_BYTES);
}

function sign(body: Uint8Array, key: CursorKey): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update(body).digest().subarray(0, MAC_BYTES);
}

/** Opaque base64url: version, fingerprint of the owner, values as JSON, truncated HMAC-SHA256 over all of it. */
export function encodeCursor(values: CursorValues, owner: CursorOwner, key: CursorKey): string {
  const body = Buffer.concat([
    Buffer.from([VERSION]),
    fingerprint(owner),
    Buffer.from(JSON.stringify(values), 'utf8'),
  ]);
  return Buffer.concat([body, sign(body, key)]).toString('base64url');
}

function refuse(message: string): Error {
  return refusal({ path: 'next', message });
}

function open(text: string, key: CursorKey): Buffer | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Buffer skips foreign characters and ignores spare bits, so other texts decode to the same bytes.
  if (bytes.toString('base64url') !== text || bytes.length <= HEADER_BYTES + MAC_BYTES) return undefined;
  const body = bytes.subarray(0, -MAC_BYTES);
  return timingSafeEqual(sign(body, key), bytes.subarray(-MAC_BYTES)) ? body : undefined;
}

export function decodeCursor(text: unknown, owner: CursorOwner, key: CursorKey): CursorValues {
  const body = typeof text === 'string' ? open(text, key) : undefined;
  if (!body) throw refuse('is not a cursor from this server; send back the one of the last page unchanged');
  if (body[0] !== VERSION) throw refuse('is out of date; start again from the first page');
  if (!body.subarray(1, HEADER_BYTES).equals(fingerprint(owner))) {
    throw refuse('belongs to another query; keep filter, sort and user the same between pages');
  }
  return JSON.parse(body.subarray(HEADER_BYTES).toString('utf8'));
}
