/** The part of Node's `process` that is used here; the kit is compiled without the types of Node. */
declare const process: { threadCpuUsage(): { user: number; system: number } };

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The processor milliseconds of the shortest of many runs: a busy machine adds almost nothing to them. Stops below `enough`. */
export const leastTime = (work: () => void, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 20 && least >= enough; turn += 1) {
    const start = processorMs();
    work();
    least = Math.min(least, processorMs() - start);
  }
  return least;
};
