import { setPriority } from 'node:os';
import { ParleyError } from '@parley/protocol/errors';
import { toError } from '../../lib/to-error.ts';
import { writeImage } from './image-work.ts';
import type { ImageAnswer, ImageOrder } from './pictures.ts';

// Decoders cannot be interrupted: in a process of its own a picture that takes too long is ended with it.

const answer = (said: ImageAnswer): void => {
  process.send?.(said);
};

const describe = (error: unknown): ImageAnswer =>
  error instanceof ParleyError
    ? { kind: 'refused', message: error.message, details: error.details }
    : { kind: 'unreadable', reason: toError(error).message };

process.on('message', ({ path, type, rules }: ImageOrder) => {
  writeImage(path, type, rules).then(
    (image) => answer({ kind: 'made', image }),
    (error: unknown) => answer(describe(error)),
  );
});
// Without its server there is nothing left to do.
process.on('disconnect', () => process.exit());
// Signals to the whole group are for the server, which ends this process when its work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

try {
  // Messages come first.
  setPriority(10);
} catch {
  // Some systems do not allow it: the picture is then made all the same.
}
answer({ kind: 'ready' });
