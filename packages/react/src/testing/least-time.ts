/** Milliseconds of the shortest of many turns: what else the machine does only ever adds. Below `enough` it is known. */
export const leastTime = (work: () => void, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 20 && least >= enough; turn += 1) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
};
