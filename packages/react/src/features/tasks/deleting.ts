import type { ParleyClient } from '@parley/client';
import { createTasks, type DeletingOutcome, type DeletingProgress } from '@parley/client/tasks';
import { type Box, createBox } from '../../chat/readables.ts';

export type Deleting =
  | { step: 'choosing' }
  | ({ step: 'working' } & DeletingProgress)
  | ({ step: 'done' } & DeletingOutcome)
  | { step: 'failed'; error: Error };

const choosing: Deleting = { step: 'choosing' };
const everyMs = 250;
const runs = new WeakMap<ParleyClient, Box<Deleting>>();

/** What is being deleted by a client. It goes on when the screen is left, and is there when one comes back. */
export const deletingOf = (client: ParleyClient): Box<Deleting> => {
  const known = runs.get(client);
  if (known) return known;
  const box = createBox(choosing);
  runs.set(client, box);
  return box;
};

export const startDeleting = async (client: ParleyClient, cids: readonly string[]): Promise<void> => {
  const box = deletingOf(client);
  if (box.get().step === 'working') return;
  box.set({ step: 'working', done: 0, all: cids.length });
  try {
    const onProgress = (at: DeletingProgress) => box.set({ step: 'working', ...at });
    box.set({ step: 'done', ...(await createTasks(client).deleteAll(cids, { everyMs, onProgress })) });
  } catch (error) {
    box.set({ step: 'failed', error: error as Error });
  }
};

export const endDeleting = (client: ParleyClient): void => deletingOf(client).set(choosing);
