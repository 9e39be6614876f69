import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { ParleyError } from '@parley/protocol';
import { ImageQueue } from './image-queue.ts';
import { ImageWorker } from './image-worker.ts';
import type { ImageOrder, MadeImage } from './pictures.ts';

/** At least two run at once: while one person's image takes long, the next person's is made. */
const atOnce = Math.min(4, Math.max(2, availableParallelism() - 1));
/** A message carries 10 images by default, and a person may send several. */
const waitingPerPerson = 50;
const waiting = 200;

const stopping = (): ParleyError => new ParleyError('Unavailable', 'The server is stopping');

export type Images = ReturnType<typeof createImages>;

/** Makes images anew in processes of their own, each within a time limit, one of a person at a time. */
export const createImages = (limitMs: number) => {
  const queue = new ImageQueue({ atOnce, waitingPerPerson, waiting });
  const workers = Array.from({ length: atOnce }, () => new ImageWorker(limitMs));
  const free = [...workers];
  let isStopped = false;

  const make = async (order: ImageOrder): Promise<MadeImage> => {
    if (isStopped) throw stopping();
    // The queue runs no more jobs than there are workers.
    const worker = free.pop() ?? new ImageWorker(limitMs);
    try {
      return await worker.make(order);
    } catch (error) {
      await Promise.all(['.image', '.thumb'].map((ending) => rm(`${order.path}${ending}`, { force: true })));
      // A decoder that was ended says nothing about the picture, which would be kept as a plain file with all it says of a place.
      throw isStopped ? stopping() : error;
    } finally {
      free.push(worker);
    }
  };

  return {
    /** Refuses where one more image of the person could not even wait. */
    check: (person: string) => queue.check(person),
    /** Makes from the picture at `path` one that may be shown, and its thumbnail, beside it. The caller removes both. */
    make: (person: string, order: ImageOrder): Promise<MadeImage> => queue.run(person, () => make(order)),
    stop: () => {
      isStopped = true;
      for (const worker of workers) worker.stop();
    },
  };
};
