import type { Access } from '../../access/access.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { FileHooks } from '../attachments/hooks.ts';
import type { ChannelPreferences } from '../channel-preferences/service.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import type { Drafts } from '../drafts/service.ts';
import type { Members } from '../members/service.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { NewestPages } from '../messages/newest-pages.ts';
import type { Messages } from '../messages/service.ts';
import type { ReadCounter } from '../reads/counts.ts';
import type { Tasks } from '../tasks/service.ts';
import type { UserCache } from '../users/cache.ts';
import { ChannelChanges } from './changes.ts';
import { ChannelCreation } from './creation.ts';
import { createChannelDeletion } from './deletion.ts';
import { channelsRoutes } from './routes.ts';
import { Channels } from './service.ts';
import { ChannelStates } from './state.ts';
import { findFilesOfChannels } from './store.ts';

type Deps = {
  kernel: Kernel;
  hub: Hub;
  access: Access;
  presence: Presence;
  users: UserCache;
  types: ChannelTypes;
  members: Members;
  messaging: { messages: Messages; hydrate: Hydrate; pages: NewestPages };
  counter: ReadCounter;
  preferences: ChannelPreferences;
  tasks: Tasks;
  drafts: Drafts;
  fileHooks: FileHooks;
};
type ChannelServices = { channels: Channels; changes: ChannelChanges; states: ChannelStates };

export const createChannels = (deps: Deps): Feature<ChannelServices> => {
  const { kernel, hub, access, presence, users, types, members, counter, tasks, drafts, preferences } = deps;
  const { messages, hydrate, pages } = deps.messaging;
  deps.fileHooks.namedFiles.add(findFilesOfChannels);
  const states = new ChannelStates({ kernel, drafts, access, users, presence, hydrate, pages, hub });
  const creation = new ChannelCreation({ kernel, types, access, members, states });
  const channels = new Channels({ kernel, access, creation, states, preferences });
  const changes = new ChannelChanges({ kernel, access, members, states, counter, tasks });
  const deleteMany = createChannelDeletion(access, changes, tasks);
  return {
    service: { channels, changes, states },
    routes: (routes) => channelsRoutes(routes, { channels, changes, deleteMany, messages }),
  };
};
