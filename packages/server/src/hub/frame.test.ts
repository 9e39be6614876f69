import { expect, test } from 'vitest';
import { createFrame, frameBytes } from './frame.ts';

/** The text of one unmasked frame, read as RFC 6455 says. */
const decode = (bytes: Buffer): string => {
  const short = bytes.readUInt8(1);
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = head === 2 ? short : head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  expect(bytes.readUInt8(0)).toBe(0x81);
  expect(bytes.length).toBe(head + length);
  return bytes.subarray(head).toString();
};

test.each([
  [0, 2],
  [125, 2],
  [126, 4],
  [65_535, 4],
  [65_536, 10],
])('a text of %i bytes has a head of %i bytes', (length, head) => {
  const json = 'x'.repeat(length);
  const bytes = frameBytes(createFrame(json));

  expect(bytes.length).toBe(head + length);
  expect(decode(bytes)).toBe(json);
});

test('length counts bytes, not characters', () => {
  const json = '😀'.repeat(32);

  expect(decode(frameBytes(createFrame(json)))).toBe(json);
});

test('the bytes are made once', () => {
  const frame = createFrame('{}');

  expect(frameBytes(frame)).toBe(frameBytes(frame));
});
