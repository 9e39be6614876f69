import { isPartitionNew } from '../events/log-partitions.ts';
import { codeOf } from '../lib/code-of.ts';

/** An item of a lane, and its caller. */
export type Entry<I, R> = { item: I; resolve(result: R): void; reject(error: unknown): void };

export const mostPerCommit = 400;

const uniqueViolation = '23505';
const deadlock = '40P01';

/** Errors after which the same batch is worth another try: the second look finds the id that another server stored, or
 * the partition that another server made. */
export const isPassing = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === uniqueViolation || code === deadlock || isPartitionNew(error);
};
