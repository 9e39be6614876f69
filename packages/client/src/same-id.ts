/** The id of what a call stores, chosen here: the same call again after a lost answer then stores nothing twice. */
const unsure = new WeakMap<object, Map<string, string>>();

type Failure = { name?: string; retryable?: boolean };

/** Runs a call with the id that `input` brings, that the same call was last tried with in vain, or with a new one. */
export const withSameId = async <I extends { id?: string | undefined }, T>(
  { owner, uuid }: { owner: object; uuid(): string },
  where: unknown[],
  input: I,
  run: (input: I & { id: string }) => Promise<T>,
): Promise<T> => {
  const known = unsure.get(owner) ?? new Map<string, string>();
  unsure.set(owner, known);
  const key = JSON.stringify([...where, input]);
  const id = input?.id ?? known.get(key) ?? uuid();
  known.set(key, id);
  let isOver = true;
  try {
    return await run({ ...input, id });
  } catch (error) {
    const { name, retryable } = error as Failure;
    isOver = name !== 'NetworkError' && !retryable;
    throw error;
  } finally {
    if (isOver) known.delete(key);
  }
};
