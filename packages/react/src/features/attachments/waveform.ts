/** The number of bars in the drawing of a sound. */
const bars = 48;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number' && one >= 0);

/** Any number of peaks as so many bars from 0 to 1, the loudest being 1. */
export const barsOf = (peaks: readonly number[], count = bars): number[] => {
  const most = Math.max(...peaks, 0);
  if (most === 0) return Array.from({ length: count }, () => 0);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / count));
    return Math.max(...peaks.slice(from, to)) / most;
  });
};

/** The waveform that the sender gave, if it is valid. */
export const givenBars = (attachment: object): number[] | undefined => {
  const { waveform_data: given }: { waveform_data?: unknown } = attachment;
  return isNumbers(given) && given.length <= 2000 ? barsOf(given) : undefined;
};

/** The peaks of decoded sound. */
export const peaksOf = (samples: Float32Array, count = bars): number[] => {
  const size = Math.max(1, Math.floor(samples.length / count));
  return Array.from({ length: count }, (_, index) => {
    let most = 0;
    // Every eighth sample gives the same result at an eighth of the work.
    for (let at = index * size; at < Math.min(samples.length, (index + 1) * size); at += 8)
      most = Math.max(most, Math.abs(samples[at] ?? 0));
    return most;
  });
};
