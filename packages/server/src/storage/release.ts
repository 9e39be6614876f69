/** Smaller ones may be pieces of a pool that others use. */
const leastBytes = 16 * 1024;

/** Gives the memory of chunks back at once. A hundred megabytes of them would wait for the collector, which counts them as
 * pressure and then stops every few of them to look through the whole heap: whoever sends a message would feel that.
 * Only what fills its memory alone is released: a piece of something larger may still be read by its owner. */
export const release = (chunks: Buffer[]): void => {
  for (const { buffer, byteLength } of chunks)
    if (byteLength >= leastBytes && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
      buffer.transfer(0);
};
