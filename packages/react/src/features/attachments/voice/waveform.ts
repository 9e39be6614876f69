import { limits } from '@parley/client/limits';

/** Peaks below this are the noise of the microphone, not a voice, and are not amplified. */
const leastPeak = 0.05;

/** Perceived loudness from 0 to 1: a voice is far below the maximum of a microphone. */
export const loudness = (wave: Float32Array): number => {
  let sum = 0;
  for (const value of wave) sum += value * value;
  return Math.min(1, Math.sqrt(Math.sqrt(sum / Math.max(1, wave.length)) * 2));
};

/** The levels of a recording in at most a hundred steps, the loudest being 1. */
export const toWaveform = (levels: readonly number[], most: number = limits.waveformSamples): number[] => {
  const count = Math.min(most, levels.length);
  const peak = levels.reduce((high, level) => Math.max(high, level), leastPeak);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count);
    const to = Math.floor(((index + 1) * levels.length) / count);
    const high = Math.max(...levels.slice(from, to));
    return Math.round((high / peak) * 100) / 100;
  });
};
