import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { AttachmentRules } from '../attachments/attachment-rules.ts';
import type { FileHooks } from '../attachments/hooks.ts';
import type { Mentions } from '../mentions/service.ts';
import type { UserCache } from '../users/cache.ts';
import { MessageChanges } from './changes.ts';
import { createEphemeral } from './ephemeral.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { MessageHistory } from './history.ts';
import { createMessageHooks } from './hooks.ts';
import { createHydrate, type Hydrate } from './hydrate.ts';
import { NewestPages } from './newest-pages.ts';
import { PendingMessages } from './pending.ts';
import { findFilesOfPending } from './pending-store.ts';
import { createPinExpiry } from './pin-expiry.ts';
import { messagesRoutes } from './routes.ts';
import { Messages } from './service.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  users: UserCache;
  mentions: Mentions;
  attachmentRules: AttachmentRules;
  fileHooks: FileHooks;
};
type MessageServices = {
  messages: Messages;
  changes: MessageChanges;
  hydrate: Hydrate;
  pages: NewestPages;
  groupCommit: GroupCommit;
};

export const createMessages = (deps: Deps): Feature<MessageServices> => {
  const { kernel, access, users, mentions, attachmentRules, fileHooks } = deps;
  const hooks = createMessageHooks();
  const groupCommit = createGroupCommit(kernel);
  const hydrate = createHydrate({ users, hooks }, kernel.now);
  const pages = new NewestPages({ kernel, users, hydrate, hooks });
  const messages = new Messages({ kernel, access, mentions, attachmentRules, hydrate, groupCommit, hooks });
  const pinExpiry = createPinExpiry(kernel, messages);
  const changes = new MessageChanges({ kernel, messages, mentions, attachmentRules, pinExpiry });
  const history = new MessageHistory({ kernel, messages, users });
  const pending = new PendingMessages({ kernel, messages, attachmentRules, users });
  const sendEphemeral = createEphemeral({ kernel, access, messages });
  fileHooks.namedFiles.add(findFilesOfPending);
  return {
    service: { messages, changes, hydrate, pages, groupCommit },
    routes: (routes) => messagesRoutes(routes, { messages, changes, history, pending, sendEphemeral }),
    jobs: [pinExpiry],
    stop: groupCommit.stop,
  };
};
