import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMedia } from './read-media.ts';
import type { Source } from './source.ts';

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: async (start, length) => bytes.subarray(start, start + length),
});
const factsOf = (type: string, bytes: Buffer) => readMedia(type, sourceOf(bytes));

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};
const movie = (width: number, height: number, turned = false) => {
  const mvhd = box('mvhd', u32(0), u32(0), u32(0), u32(600), u32(1500), Buffer.alloc(80));
  const matrix = turned
    ? [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
    : [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
  const track = box(
    'tkhd',
    Buffer.alloc(40),
    ...matrix.map((value) => u32(value >>> 0)),
    u32(width * 65_536),
    u32(height * 65_536),
  );
  const file = [
    box('ftyp', Buffer.from('isom')),
    box('mdat', Buffer.alloc(5000)),
    box('moov', mvhd, box('trak', track)),
  ];
  return Buffer.concat(file);
};

test('A1 the length and size of an mp4 whose index stands at its end are read', async () => {
  expect(await factsOf('video/mp4', movie(640, 480))).toEqual({ duration: 2.5, width: 640, height: 480 });
  expect(await factsOf('video/mp4', movie(640, 480, true))).toMatchObject({ width: 480, height: 640 });
  expect(await factsOf('video/mp4', movie(0, 0))).toEqual({ duration: 2.5, isSound: true });
});

const ebml = (id: number[], ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  const size = Buffer.from([0x10 | (body.length >> 24), body.length >> 16, body.length >> 8, body.length]);
  return Buffer.concat([Buffer.from(id), size, body]);
};

test('A1 the length and size of a webm are read; one recorded live has no length', async () => {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(4200);
  const info = ebml(
    [0x15, 0x49, 0xa9, 0x66],
    ebml([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40])),
    ebml([0x44, 0x89], duration),
  );
  const video = ebml(
    [0xe0],
    ebml([0xb0], Buffer.from([0x02, 0x80])),
    ebml([0xba], Buffer.from([0x01, 0xe0])),
  );
  const tracks = (inner: Buffer) =>
    ebml([0x16, 0x54, 0xae, 0x6b], ebml([0xae], ebml([0x83], Buffer.from([1])), inner));
  const head = ebml([0x1a, 0x45, 0xdf, 0xa3], Buffer.from('webm'));
  const file = (...parts: Buffer[]) => Buffer.concat([head, ebml([0x18, 0x53, 0x80, 0x67], ...parts)]);

  expect(await factsOf('video/webm', file(info, tracks(video)))).toEqual({
    duration: 4.2,
    width: 640,
    height: 480,
  });
  expect(await factsOf('video/webm', file(tracks(Buffer.alloc(0))))).toEqual({ isSound: true });
});

test('A1 the length of wav, flac, ogg and mp3 is read', async () => {
  const wav = Buffer.alloc(44 + 16_000);
  wav.write('RIFF', 0, 'latin1');
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt32LE(16_000, 28);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(16_000, 40);
  const ogg = Buffer.alloc(200);
  ogg.write('OggS', 0, 'latin1');
  ogg.write('OpusHead', 28, 'latin1');
  ogg.writeUInt16LE(480, 38);
  ogg.write('OggS', 100, 'latin1');
  ogg.writeBigInt64LE(48_480n, 106);
  const flac = Buffer.alloc(26);
  flac.write('fLaC', 0, 'latin1');
  flac.writeUIntBE(44_100 << 4, 18, 3);
  flac.writeUInt32BE(88_200, 22);
  const mp3 = Buffer.alloc(16_000);
  mp3.set([0xff, 0xfb, 0x90, 0x00]);

  expect(await factsOf('audio/wav', wav)).toEqual({ duration: 1 });
  expect(await factsOf('audio/ogg', ogg)).toEqual({ duration: 1 });
  expect(await factsOf('audio/flac', flac)).toEqual({ duration: 2 });
  expect(await factsOf('audio/mpeg', mp3)).toEqual({ duration: 1 });
});

test('A1 no bytes bring a parser down or hold it for long', async () => {
  const types = ['video/mp4', 'video/webm', 'audio/ogg', 'audio/wav', 'audio/flac', 'audio/mpeg'];
  const starts = [
    movie(2, 2),
    Buffer.from('OggSOpusHead'),
    Buffer.from('RIFF0000WAVEdata'),
    Buffer.alloc(64, 0x1a),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 400 }),
      async (type, start, more) => {
        const bytes = Buffer.concat([start.subarray(0, 60), Buffer.from(more), start.subarray(60)]);
        const facts = await factsOf(type, bytes);
        expect(facts.duration === undefined || facts.duration > 0).toBe(true);
      },
    ),
    {
      numRuns: 400,
      examples: [['audio/mpeg', Buffer.from('OggSOpusHead'), Uint8Array.from([255, 250, 128])]],
    },
  );
});
