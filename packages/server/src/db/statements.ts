import { codeOf } from '../lib/code-of.ts';

/** How many statement texts are prepared; each costs memory in every connection. */
const mostPrepared = 200;
const mostTries = 3;

/** Answers the statements that were sent right behind the one whose preparing failed, under the same name. */
const notPrepared = '26000';

/** Whether a prepared statement is of no use: it gives other columns than when it was prepared, as a newer server added one to its
 * table, or it was never prepared. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === notPrepared ||
  (codeOf(error) === '0A000' &&
    error instanceof Error &&
    error.message === 'cached plan must not change result type');

/** Names for statements: PostgreSQL parses and plans each once per connection. Where connections are shared, each user has names
 * with a beginning of its own. */
export const createStatementNames = (beginning = 's') => {
  const numbers = new Map<string, number>();
  const seenOnce = new Set<string>();
  /** Part of every name. Under a new one each connection prepares anew, and old plans are not asked for again. */
  let generation = 0;
  const numberOf = (text: string): number | undefined => {
    const number = numbers.get(text);
    if (number !== undefined || numbers.size >= mostPrepared) return number;
    if (seenOnce.delete(text)) {
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    }
    if (seenOnce.size < 1000) seenOnce.add(text);
    return undefined;
  };
  return {
    /** The name of a text that came before; undefined for one that is new. */
    nameOf(text: string): string | undefined {
      const number = numberOf(text);
      return number === undefined ? undefined : `${beginning}${generation}.${number}`;
    },
    /** A given name in the current generation. */
    current: (name: string): string => (generation === 0 ? name : `${name}.${generation}`),
    /** Runs again, with plans made anew, what failed for a plan that is stale. Not for parts of a transaction: that has ended. */
    async fresh<T>(run: () => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries++) {
        const before = generation;
        try {
          return await run();
        } catch (error) {
          if (!isStalePlan(error)) throw error;
          if (generation === before) generation++;
          if (tries >= mostTries) throw error;
        }
      }
    },
    /** Called when a statement failed inside a transaction: the next try of the whole prepares anew. */
    outdate: (): void => {
      generation++;
    },
  };
};
