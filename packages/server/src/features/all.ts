import { Access } from '../access/access.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Hub } from '../hub/hub.ts';
import { trackPresence } from '../hub/presence.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Storage } from '../storage/storage.ts';
import { createFeatureList } from '../wiring/feature.ts';
import { createApps } from './apps/feature.ts';
import { createAttachments } from './attachments/feature.ts';
import { createChannelPreferences } from './channel-preferences/feature.ts';
import { createChannelTypes } from './channel-types/feature.ts';
import { createChannels } from './channels/feature.ts';
import { createCommands } from './commands/feature.ts';
import { createDrafts } from './drafts/feature.ts';
import { createLinkPreviews } from './link-previews/feature.ts';
import { createLocations } from './locations/feature.ts';
import { createMembers } from './members/feature.ts';
import { createMentions } from './mentions/feature.ts';
import { createMessages } from './messages/feature.ts';
import { createPolls } from './polls/feature.ts';
import { createPresence } from './presence/feature.ts';
import { createReactions } from './reactions/feature.ts';
import { createReads } from './reads/feature.ts';
import { createReminders } from './reminders/feature.ts';
import { createRoles } from './roles/feature.ts';
import { createScheduledMessages } from './scheduled-messages/feature.ts';
import { createSearch } from './search/feature.ts';
import { createTasks } from './tasks/feature.ts';
import { createThreads } from './threads/feature.ts';
import { createTyping } from './typing/feature.ts';
import { createUsers } from './users/feature.ts';

type Deps = { kernel: Kernel; hub: Hub; storage: Storage; tokens: Awaited<Tokens> };

export type Services = ReturnType<typeof createFeatures>['services'];

/** Every feature, in order: each may use those above it, and answers their hooks. */
export const createFeatures = ({ kernel, hub, storage, tokens }: Deps) => {
  const list = createFeatureList();
  const presence = trackPresence((userId) => hub.isOnline(userId) || kernel.others.isOnline(userId));

  const roles = list.add(createRoles({ kernel }));
  const apps = list.add(createApps({ kernel }));
  const userService = list.add(createUsers({ kernel, presence, tokens, roles, apps }));
  const users = userService.cache;
  const types = list.add(createChannelTypes({ kernel }));
  const access = new Access(kernel, types);
  const members = list.add(createMembers({ kernel, access, presence, users }));
  const mentions = list.add(createMentions({ users, roles }));
  const attachments = list.add(createAttachments({ kernel, access, storage }));
  const { uploads, attachmentRules, hooks: fileHooks } = attachments;
  const messaging = list.add(createMessages({ kernel, access, users, mentions, attachmentRules, fileHooks }));
  const { messages, hydrate } = messaging;
  list.add(createCommands({ kernel, messages }));
  const reactions = list.add(createReactions({ kernel, users, messages }));
  const polls = list.add(createPolls({ kernel, access, users, messages }));
  list.add(createLocations({ kernel, access, members, messages }));
  const { reads, counter } = list.add(createReads({ kernel, access, users }));
  const preferences = list.add(createChannelPreferences({ kernel, access, reads }));
  const tasks = list.add(createTasks({ kernel }));
  const drafts = list.add(createDrafts({ kernel, access, hydrate, fileHooks }));
  const channels = list.add(
    createChannels({
      kernel,
      hub,
      access,
      presence,
      users,
      types,
      members,
      messaging,
      counter,
      preferences,
      tasks,
      drafts,
      fileHooks,
    }),
  );
  list.add(createThreads({ kernel, access, members, messages, hydrate, reads, states: channels.states }));
  list.add(createSearch({ kernel, access, hydrate }));
  list.add(createReminders({ kernel, access, users, messages, hydrate }));
  list.add(createScheduledMessages({ kernel, apps, users, messages, fileHooks }));
  list.add(createLinkPreviews({ kernel }));
  list.add(createTyping({ kernel, access }));
  list.add(createPresence({ kernel, hub, access, presence, apps, users, types }));

  const services = {
    access,
    apps,
    users: userService,
    uploads,
    messaging,
    reactions,
    polls,
    reads,
    preferences,
    channels,
  };
  return { list, services };
};
