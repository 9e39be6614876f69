import { frame, type MediaFacts, type Source, seconds } from './source.ts';

type Box = { type: string; start: number; end: number; body: number };

const mostBoxes = 500;
const containers = new Set(['moov', 'trak', 'mdia']);

const boxAt = async (source: Source, at: number, end: number): Promise<Box | undefined> => {
  const head = await source.read(at, 16);
  if (head.length < 8) return undefined;
  const small = head.readUInt32BE(0);
  const isLarge = small === 1 && head.length >= 16;
  const size = isLarge ? Number(head.readBigUInt64BE(8)) : small === 0 ? end - at : small;
  const body = at + (isLarge ? 16 : 8);
  // A box that is smaller than its head would be read for ever.
  if (size < body - at || at + size > end) return undefined;
  return { type: head.toString('latin1', 4, 8), start: at, end: at + size, body };
};

/** mvhd: time scale and length; in version 1 the times before them are twice as wide. */
const movieLength = async (source: Source, box: Box): Promise<MediaFacts> => {
  const body = await source.read(box.body, 32);
  const isWide = body[0] === 1;
  if (body.length < (isWide ? 32 : 20)) return {};
  const scale = body.readUInt32BE(isWide ? 20 : 12);
  const length = isWide ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  return scale > 0 && length !== 0xffffffff ? seconds(length / scale) : {};
};

/** tkhd ends with the matrix, width and height as 16.16 numbers; a track without a picture has none. */
const trackFrame = async (source: Source, box: Box): Promise<MediaFacts> => {
  if (box.end - box.body < 84 || box.end - box.body > 200) return {};
  const body = await source.read(box.body, box.end - box.body);
  const tail = body.subarray(body.length - 44);
  if (tail.length < 44) return {};
  const [width, height] = [tail.readUInt32BE(36) / 65_536, tail.readUInt32BE(40) / 65_536];
  // The matrix begins 0 1 where the picture lies on its side.
  const isTurned = tail.readInt32BE(0) === 0 && tail.readInt32BE(4) !== 0;
  return isTurned ? frame(height, width) : frame(width, height);
};

/** MP4, MOV and their kin: the boxes are walked, the samples are never read. */
export const readMp4 = async (source: Source): Promise<MediaFacts> => {
  const facts: MediaFacts = {};
  let tracks = 0;
  const waiting: [at: number, end: number][] = [[0, source.size]];
  for (let boxes = 0; boxes < mostBoxes; boxes++) {
    const next = waiting.pop();
    if (!next) break;
    const [at, end] = next;
    const box = at < end ? await boxAt(source, at, end) : undefined;
    if (!box) continue;
    waiting.push([box.end, end]);
    if (containers.has(box.type)) waiting.push([box.body, box.end]);
    if (box.type === 'mvhd') Object.assign(facts, await movieLength(source, box));
    if (box.type === 'tkhd') {
      tracks++;
      if (facts.width === undefined) Object.assign(facts, await trackFrame(source, box));
    }
  }
  return tracks > 0 && facts.width === undefined ? { ...facts, isSound: true } : facts;
};
