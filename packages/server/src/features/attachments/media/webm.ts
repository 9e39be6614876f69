import { frame, type MediaFacts, type Source, seconds } from './source.ts';

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  entry: 0xae,
  trackType: 0x83,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
} as const;
const inside = new Set<number>([ids.segment, ids.info, ids.tracks, ids.entry, ids.video]);
const wanted = new Set<number>([ids.scale, ids.duration, ids.width, ids.height, ids.trackType]);

/** Info and Tracks stand before the first cluster; what is not in the beginning is not looked for. */
const headBytes = 64 * 1024;
const mostElements = 2000;

const lengthOf = (first: number): number => Math.clz32(first) - 23;

/** An EBML number: its length is in the leading zeros of its first byte. `keep` leaves the marker in, as ids have it. */
const vint = (bytes: Buffer, at: number, keep: boolean): { value: number; next: number } | undefined => {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = lengthOf(first);
  if (at + length > bytes.length) return undefined;
  let value = keep ? first : first & (0xff >> length);
  for (let index = 1; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return { value, next: at + length };
};

const numberIn = (bytes: Buffer): number => {
  let value = 0;
  for (const byte of bytes.subarray(0, 8)) value = value * 256 + byte;
  return value;
};

const floatIn = (bytes: Buffer): number =>
  bytes.length === 4 ? bytes.readFloatBE(0) : bytes.length === 8 ? bytes.readDoubleBE(0) : Number.NaN;

/** Reads WebM and Matroska. A live recording of a browser has no duration, and then there is none here. */
export const readWebm = async (source: Source): Promise<MediaFacts> => {
  const bytes = await source.read(0, headBytes);
  const found = new Map<number, Buffer>();
  let at = 0;
  for (let elements = 0; elements < mostElements; elements++) {
    const id = vint(bytes, at, true);
    const size = id && vint(bytes, id.next, false);
    if (!id || !size) break;
    if (wanted.has(id.value) && !found.has(id.value))
      found.set(id.value, bytes.subarray(size.next, size.next + size.value));
    at = inside.has(id.value) ? size.next : size.next + size.value;
  }
  const scale = found.has(ids.scale) ? numberIn(found.get(ids.scale) ?? Buffer.alloc(0)) : 1_000_000;
  const duration = found.get(ids.duration);
  const [width, height] = [found.get(ids.width), found.get(ids.height)];
  return {
    ...(duration ? seconds((floatIn(duration) * scale) / 1e9) : {}),
    ...(width && height ? frame(numberIn(width), numberIn(height)) : {}),
    ...(found.has(ids.trackType) && !width ? { isSound: true } : {}),
  };
};
