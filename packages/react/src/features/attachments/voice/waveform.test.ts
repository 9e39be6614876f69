import { expect, test } from 'vitest';
import { loudness, toWaveform } from './waveform.ts';

test('A1 a waveform has at most a hundred steps, and keeps its peaks', () => {
  const levels = Array.from({ length: 12_000 }, (_, index) => (index === 6000 ? 0.5 : 0.1));

  const wave = toWaveform(levels);

  expect(wave).toHaveLength(100);
  expect([wave[50], wave[0]]).toEqual([1, 0.2]);
  expect(toWaveform([0.2, 0.4])).toEqual([0.5, 1]);
  expect(toWaveform([])).toEqual([]);
});

test('A1 silence stays flat', () => {
  expect(toWaveform([0.001, 0.002])).toEqual([0.02, 0.04]);
  expect(loudness(new Float32Array(64))).toBe(0);
  expect(loudness(new Float32Array(64).fill(1))).toBe(1);
});
