import { expect, test } from 'vitest';
import { FrameReader } from './frame-reader.ts';

const frame = (payload: string, opcode = 1): Buffer => {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = body.length < 126 ? body.length : body.length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(body.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
};

const wire = Buffer.concat([
  frame('new:short'),
  frame(`new:${'x'.repeat(200)}`),
  frame(''),
  frame('ping', 9),
  frame(`old:${'y'.repeat(70_000)}`),
  frame('new:end'),
]);

const readInChunks = (size: number, keep: boolean) => {
  const seen: { bytes: number; matched: boolean; first: string; text: string | undefined }[] = [];
  const controls: string[] = [];
  const reader = new FrameReader(
    {
      onData: ({ bytes, matched, first, text }) =>
        seen.push({ bytes, matched, first: String.fromCharCode(first), text: text?.slice(0, 9) }),
      onControl: (opcode, payload) => controls.push(`${opcode}:${payload}`),
    },
    'new:',
  );
  reader.keep = keep;
  // One buffer that is overwritten by each read, as the sockets do.
  const shared = Buffer.alloc(size);
  for (let at = 0; at < wire.length; at += size) {
    const length = wire.copy(shared, 0, at, Math.min(at + size, wire.length));
    reader.feed(shared, 0, length);
  }
  return { seen, controls };
};

test.each([1, 2, 3, 5, 7, 64, 1000, 65_536, 200_000])('frames are counted in reads of %i bytes', (size) => {
  const { seen, controls } = readInChunks(size, false);

  expect(seen.map(({ bytes }) => bytes)).toEqual([9, 204, 0, 70_004, 7]);
  expect(seen.map(({ matched }) => matched)).toEqual([true, true, false, false, true]);
  expect(seen[3]?.first).toBe('o');
  expect(controls).toEqual(['9:ping']);
});

test('payloads are decoded only while they are kept', () => {
  expect(readInChunks(3, true).seen.map(({ text }) => text)).toEqual([
    'new:short',
    'new:xxxxx',
    '',
    'old:yyyyy',
    'new:end',
  ]);
  expect(readInChunks(3, false).seen[0]?.text).toBeUndefined();
});

test('a fragment or a masked frame is refused, for it would be counted wrongly', () => {
  const reader = new FrameReader({ onData: () => {}, onControl: () => {} });

  expect(() => reader.feed(Buffer.from([0x01, 1, 65, 0]), 0, 4)).toThrow('cannot count');
});
