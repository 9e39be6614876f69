import type { Core } from './core.ts';

type Failure = { name?: string; retryable?: boolean };

/**
 * Runs a call that stores something under an id that the client chooses: that of `input`, that of the same call before
 * whose reply was lost, or a new one. A retry then stores nothing twice.
 */
export const withSameId = async <I extends { id?: string | undefined }, T>(
  { unsureIds, environment }: Pick<Core, 'unsureIds' | 'environment'>,
  where: unknown[],
  input: I,
  run: (input: I & { id: string }) => Promise<T>,
): Promise<T> => {
  const key = JSON.stringify([...where, input]);
  const id = input?.id ?? unsureIds.get(key) ?? environment.uuid();
  unsureIds.set(key, id);
  let isOver = true;
  try {
    return await run({ ...input, id });
  } catch (error) {
    const { name, retryable } = error as Failure;
    isOver = name !== 'NetworkError' && !retryable;
    throw error;
  } finally {
    if (isOver) unsureIds.delete(key);
  }
};
