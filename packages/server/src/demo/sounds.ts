const rate = 11_025;
const headBytes = 44;

/** Sound as a WAV file of 8 bits; `at` gives the amplitude at a second, from -1 to 1. */
const record = (seconds: number, at: (second: number) => number): Buffer => {
  const count = Math.floor(seconds * rate);
  const bytes = Buffer.alloc(headBytes + count, 128);
  bytes.write('RIFF', 0, 'ascii');
  bytes.writeUInt32LE(36 + count, 4);
  bytes.write('WAVEfmt ', 8, 'ascii');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36, 'ascii');
  bytes.writeUInt32LE(count, 40);
  for (let index = 0; index < count; index += 1)
    bytes[headBytes + index] = Math.round(128 + 110 * Math.max(-1, Math.min(1, at(index / rate))));
  return bytes;
};

const turn = (hertz: number, second: number): number => Math.sin(2 * Math.PI * hertz * second);

/** Hummed rather than said: syllables that rise and fall. */
export const speak = (seed: number): Buffer =>
  record(7, (second) => {
    const syllable = Math.abs(Math.sin(second * (5 + (seed % 3)))) ** 1.6;
    const breath = Math.sin(second * 0.9 + seed) > -0.6 ? 1 : 0.06;
    const tone = 118 + 26 * Math.sin(second * 2.1 + seed);
    const voice = turn(tone, second) + 0.5 * turn(tone * 2, second) + 0.22 * turn(tone * 3.02, second);
    return 0.42 * voice * syllable * breath;
  });

/** A bell, three times. */
export const sing = (seed: number): Buffer =>
  record(5, (second) => {
    const since = second % 1.6;
    const tone = 620 + 40 * (seed % 9);
    const rings = [1, 2.4, 3.01, 4.2].reduce(
      (sum, part, index) => sum + (turn(tone * part, since) * Math.exp(-since * (2.2 + index))) / (index + 1),
      0,
    );
    return 0.5 * rings;
  });

/** How loud it is along its way, as a client would send it with a voice message. */
export const waveformOf = (wav: Buffer, count = 48): number[] => {
  const size = Math.max(1, Math.floor((wav.length - headBytes) / count));
  return Array.from({ length: count }, (_, index) => {
    const part = wav.subarray(headBytes + index * size, headBytes + (index + 1) * size);
    const most = part.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample - 128)), 0);
    return Math.round((most / 128) * 100) / 100;
  });
};
