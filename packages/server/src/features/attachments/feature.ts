import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Feature } from '../../wiring/feature.ts';
import { type AttachmentRules, createAttachmentRules } from './attachment-rules.ts';
import { createCollector } from './collector.ts';
import { createFileAccess } from './file-access.ts';
import { createImages } from './images.ts';
import { attachmentsRoutes } from './routes.ts';
import { Uploads } from './service.ts';
import { filesRoutes } from './serving.ts';
import { startWorkFolderSweep } from './work-folder.ts';

type Deps = { kernel: Kernel; access: Access; storage: Storage };
type Attachments = { uploads: Uploads; attachmentRules: AttachmentRules };

export const createAttachments = ({ kernel, access, storage }: Deps): Feature<Attachments> => {
  const fileAccess = createFileAccess(kernel, access);
  const collector = createCollector(kernel, storage);
  const images = createImages(kernel.config.uploads.imageSeconds * 1000);
  const uploads = new Uploads({ kernel, access, storage, fileAccess, collector, images });
  return {
    service: { uploads, attachmentRules: createAttachmentRules(kernel, fileAccess) },
    routes: (routes, { app, authenticator }) => {
      attachmentsRoutes(routes, uploads);
      filesRoutes(app, { kernel, authenticator, storage, fileAccess, signer: uploads.signer });
    },
    jobs: [collector, { start: () => startWorkFolderSweep(kernel) }],
    stop: images.stop,
  };
};
