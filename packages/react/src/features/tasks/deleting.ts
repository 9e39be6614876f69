import type { Feature, FeatureCore } from '@parley/client';
import { type DeletingOutcome, type DeletingProgress, tasks } from '@parley/client/tasks';
import { createBox } from '../../chat/readables.ts';
import { toError } from '../../ui/to-error.ts';

export type DeletingState =
  | { step: 'choosing' }
  | ({ step: 'working' } & DeletingProgress)
  | ({ step: 'done' } & DeletingOutcome)
  | { step: 'failed'; error: Error };

const choosing: DeletingState = { step: 'choosing' };
const everyMs = 250;

const createDeleting = (core: FeatureCore) => {
  const state = createBox<DeletingState>(choosing);
  /** Aborted when the user signs out: the task goes on, and the next user sees nothing of it. */
  let control = new AbortController();
  const reset = () => state.set(choosing);
  core.resets.push(() => {
    control.abort();
    control = new AbortController();
    reset();
  });
  const start = async (cids: readonly string[]): Promise<void> => {
    if (state.get().step === 'working') return;
    const { signal } = control;
    const show = (next: DeletingState) => {
      if (!signal.aborted) state.set(next);
    };
    show({ step: 'working', done: 0, all: cids.length });
    try {
      const onProgress = (at: DeletingProgress) => show({ step: 'working', ...at });
      const outcome = await core.client.feature(tasks).deleteAll(cids, { everyMs, onProgress, signal });
      show({ step: 'done', ...outcome });
    } catch (error) {
      show({ step: 'failed', error: toError(error) });
    }
  };
  return { state, start, reset };
};

/** The running deletion of channels. It goes on when the screen is left, and is shown when the user comes back. */
export const deleting: Feature<ReturnType<typeof createDeleting>> = {
  name: 'deleting-channels',
  create: createDeleting,
};
