import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Feature } from '../../wiring/feature.ts';
import { findFilesOfUsers } from '../users/store.ts';
import { type AttachmentRules, createAttachmentRules } from './attachment-rules.ts';
import { createCollector } from './collector.ts';
import { createFileAccess } from './file-access.ts';
import { createFileHooks, type FileHooks } from './hooks.ts';
import { createImages } from './images.ts';
import { attachmentsRoutes } from './routes.ts';
import { Uploads } from './service.ts';
import { filesRoutes } from './serving.ts';
import { startWorkFolderSweep } from './work-folder.ts';

type Deps = { kernel: Kernel; access: Access; storage: Storage };
type Attachments = { uploads: Uploads; attachmentRules: AttachmentRules; hooks: FileHooks };

export const createAttachments = ({ kernel, access, storage }: Deps): Feature<Attachments> => {
  const fileAccess = createFileAccess(kernel, access);
  const hooks = createFileHooks();
  // Users are above this feature, so they cannot answer by themselves.
  hooks.namedFiles.add(findFilesOfUsers);
  const collector = createCollector({ kernel, storage, hooks });
  const images = createImages(kernel.config.uploads.imageSeconds * 1000);
  const uploads = new Uploads({ kernel, access, storage, fileAccess, collector, images });
  return {
    service: { uploads, attachmentRules: createAttachmentRules(kernel, fileAccess), hooks },
    routes: (routes, { app, authenticator }) => {
      attachmentsRoutes(routes, uploads);
      filesRoutes(app, { kernel, authenticator, storage, fileAccess, signer: uploads.signer });
    },
    jobs: [
      collector,
      { start: () => startWorkFolderSweep(kernel) },
      {
        // An upload that a stopped decoder cuts off cleans up while the database is there.
        start: () => async () => {
          images.stop();
          await uploads.settled();
        },
      },
    ],
    stop: images.stop,
  };
};
