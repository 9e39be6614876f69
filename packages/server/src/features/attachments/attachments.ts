import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Storage } from '../../storage/storage.ts';
import { createAttaching } from './attaching.ts';
import { createCollector } from './collector.ts';
import { createImages } from './images.ts';
import { createFileReading } from './reading.ts';
import { Uploads } from './service.ts';
import { sweepWorkFolder } from './taking.ts';

/** Files: received, read, attached to messages, and removed when nothing needs them. */
export const createAttachments = (kernel: Kernel, access: Access, storage: Storage) => {
  const reading = createFileReading(kernel, access);
  const collector = createCollector(kernel, storage);
  const images = createImages(kernel.config.uploads.imageSeconds * 1000);
  const uploads = new Uploads({ kernel, access, storage, reading, collector, images });
  return {
    storage,
    reading,
    attaching: createAttaching(kernel, reading),
    uploads,
    signer: uploads.signer,
    /** Returns its stop. */
    start: (): (() => Promise<void>) => {
      sweepWorkFolder(kernel).catch((error: unknown) =>
        kernel.log.warn({ err: error }, 'the work folder stays'),
      );
      const stopCollector = collector.start();
      return async () => {
        images.stop();
        await stopCollector();
      };
    },
  };
};
