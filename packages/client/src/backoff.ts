const first = 1000;
const longest = 25_000;

/** Milliseconds before the attempt after `failures` failures: doubling, with jitter over the upper 70 %. */
export const backoff = (failures: number, random: number): number => {
  const ceiling = Math.min(longest, first * 2 ** Math.max(0, failures - 1));
  return Math.round(ceiling * (0.3 + 0.7 * random));
};
