import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Feature } from '../../wiring/feature.ts';
import { type Attaching, createAttaching } from './attaching.ts';
import { createCollector } from './collector.ts';
import { createImages } from './images.ts';
import { createFileReading } from './reading.ts';
import { attachmentsRoutes } from './routes.ts';
import { Uploads } from './service.ts';
import { filesRoutes } from './serving.ts';
import { startWorkFolderSweep } from './taking.ts';

type Deps = { kernel: Kernel; access: Access; storage: Storage };
type Attachments = { uploads: Uploads; attaching: Attaching };

export const createAttachments = ({ kernel, access, storage }: Deps): Feature<Attachments> => {
  const reading = createFileReading(kernel, access);
  const collector = createCollector(kernel, storage);
  const images = createImages(kernel.config.uploads.imageSeconds * 1000);
  const uploads = new Uploads({ kernel, access, storage, reading, collector, images });
  return {
    service: { uploads, attaching: createAttaching(kernel, reading) },
    routes: (routes, { app, authenticator }) => {
      attachmentsRoutes(routes, uploads);
      filesRoutes(app, { kernel, authenticator, storage, reading, signer: uploads.signer });
    },
    jobs: [collector, { start: () => startWorkFolderSweep(kernel) }],
    stop: images.stop,
  };
};
