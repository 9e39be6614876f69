import { type MediaFacts, type Source, seconds } from './source.ts';

const tailBytes = 64 * 1024;

/** The last page says how many samples came before its end; Opus counts at 48 kHz whatever was recorded. */
export const readOgg = async (source: Source): Promise<MediaFacts> => {
  const head = await source.read(0, 512);
  const opus = head.indexOf('OpusHead');
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1');
  if (opus < 0 && (vorbis < 0 || head.length < vorbis + 16)) return {};
  const rate = opus >= 0 ? 48_000 : head.readUInt32LE(vorbis + 12);
  const skip = opus >= 0 && head.length >= opus + 12 ? head.readUInt16LE(opus + 10) : 0;
  const start = Math.max(0, source.size - tailBytes);
  const tail = await source.read(start, tailBytes);
  const page = tail.lastIndexOf('OggS');
  if (page < 0 || tail.length < page + 14 || rate === 0) return {};
  return seconds((Number(tail.readBigInt64LE(page + 6)) - skip) / rate);
};

export const readWav = async (source: Source): Promise<MediaFacts> => {
  let at = 12;
  let bytesPerSecond = 0;
  for (let chunks = 0; chunks < 100; chunks++) {
    const head = await source.read(at, 24);
    if (head.length < 8) return {};
    const size = head.readUInt32LE(4);
    const kind = head.toString('latin1', 0, 4);
    if (kind === 'fmt ' && head.length >= 20) bytesPerSecond = head.readUInt32LE(16);
    // A recorder that was cut off leaves a wrong size: no more is there than the file holds.
    if (kind === 'data') return seconds(Math.min(size, source.size - at - 8) / bytesPerSecond);
    at += 8 + size + (size % 2);
  }
  return {};
};

export const readFlac = async (source: Source): Promise<MediaFacts> => {
  const head = await source.read(0, 26);
  if (head.length < 26) return {};
  const rate = head.readUIntBE(18, 3) >> 4;
  const samples = ((head[21] ?? 0) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  return rate > 0 ? seconds(samples / rate) : {};
};

const kbps: Record<'v1' | 'v2', Record<1 | 2 | 3, number[]>> = {
  v1: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  v2: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
};
const rates = [44_100, 48_000, 32_000];
/** The layer by its bits; none has the first. */
const layers = [undefined, 3, 2, 1] as const;

type Frame = { bitRate: number; sampleRate: number; samples: number };

const parseFrame = (head: Buffer): Frame | undefined => {
  const [a = 0, b = 0, c = 0] = head;
  const version = (b >> 3) & 3;
  const layer = layers[(b >> 1) & 3];
  const rate = rates[(c >> 2) & 3];
  if (a !== 0xff || (b & 0xe0) !== 0xe0 || version === 1 || layer === undefined || rate === undefined)
    return undefined;
  const bitRate = kbps[version === 3 ? 'v1' : 'v2'][layer][c >> 4];
  if (!bitRate) return undefined;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  return {
    bitRate: bitRate * 1000,
    sampleRate: version === 3 ? rate : rate / (version === 2 ? 2 : 4),
    samples,
  };
};

const afterId3 = (head: Buffer): number => {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  return 10 + size;
};

/** Reads the length from the frame count of a Xing, Info or VBRI head; without one the rate is taken to be constant. */
export const readMp3 = async (source: Source): Promise<MediaFacts> => {
  const start = afterId3(await source.read(0, 10));
  const bytes = await source.read(start, 4096);
  const at = bytes.findIndex((_, index) => parseFrame(bytes.subarray(index, index + 4)) !== undefined);
  const first = at < 0 ? undefined : parseFrame(bytes.subarray(at, at + 4));
  if (!first) return {};
  const body = bytes.subarray(at, at + 200);
  const xing = Math.max(body.indexOf('Xing'), body.indexOf('Info'));
  const vbri = body.indexOf('VBRI');
  const countAt = xing >= 0 && ((body[xing + 7] ?? 0) & 1) === 1 ? xing + 8 : vbri >= 0 ? vbri + 14 : -1;
  if (countAt >= 0 && body.length >= countAt + 4)
    return seconds((body.readUInt32BE(countAt) * first.samples) / first.sampleRate);
  return seconds(((source.size - start - at) * 8) / first.bitRate);
};
