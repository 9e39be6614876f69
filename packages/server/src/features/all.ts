import { Access } from '../access/access.ts';
import { isRevoked } from '../auth/revocation.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { ChannelRow } from '../db/rows.ts';
import type { Routes } from '../http/route.ts';
import type { Hub, HubHooks } from '../hub/hub.ts';
import { createPresence, type Presence } from '../hub/presence.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Storage } from '../storage/storage.ts';
import type { Feature, Job, RawHttp } from '../wiring/feature.ts';
import { createRelay } from '../work/relay.ts';
import { appsRoutes } from './apps/routes.ts';
import { type Apps, createApps } from './apps/service.ts';
import type { Attaching } from './attachments/attaching.ts';
import { createAttachments } from './attachments/attachments.ts';
import { attachmentsRoutes } from './attachments/routes.ts';
import { createMuteExpiry } from './channel-preferences/mute-expiry.ts';
import { channelPreferencesRoutes } from './channel-preferences/routes.ts';
import { ChannelPreferences } from './channel-preferences/service.ts';
import { channelTypesRoutes } from './channel-types/routes.ts';
import { ChannelTypes } from './channel-types/service.ts';
import { ChannelChanges } from './channels/changes.ts';
import { createChannelDeleting } from './channels/deleting.ts';
import { ChannelMaking } from './channels/making.ts';
import { channelsRoutes } from './channels/routes.ts';
import { Channels } from './channels/service.ts';
import { ChannelStates } from './channels/state.ts';
import { createCommands } from './commands/feature.ts';
import { draftsRoutes } from './drafts/routes.ts';
import { Drafts } from './drafts/service.ts';
import { linkPreviewsRoutes } from './link-previews/routes.ts';
import { createLinkPreviews } from './link-previews/service.ts';
import { createLocations } from './locations/feature.ts';
import { membersRoutes } from './members/routes.ts';
import { Members } from './members/service.ts';
import { createMentions, type Mentions } from './mentions/service.ts';
import { MessageChanges } from './messages/changes.ts';
import { createEphemeral } from './messages/ephemeral.ts';
import { createGroupCommit, type GroupCommit } from './messages/group-commit.ts';
import { MessageHistory } from './messages/history.ts';
import { createMessageHooks } from './messages/hooks.ts';
import { createHydrate, type Hydrate } from './messages/hydrate.ts';
import { NewestPages } from './messages/newest-pages.ts';
import { PendingMessages } from './messages/pending.ts';
import { createPinExpiry } from './messages/pin-expiry.ts';
import { messagesRoutes } from './messages/routes.ts';
import { Messages } from './messages/service.ts';
import { createPolls } from './polls/feature.ts';
import { createPresenceService } from './presence/service.ts';
import { reactionsRoutes } from './reactions/routes.ts';
import { Reactions } from './reactions/service.ts';
import { createReadCounter } from './reads/counts.ts';
import { Receipts } from './reads/receipts.ts';
import { readsRoutes } from './reads/routes.ts';
import { Reads } from './reads/service.ts';
import { createReminderJob } from './reminders/due.ts';
import { remindersRoutes } from './reminders/routes.ts';
import { Reminders } from './reminders/service.ts';
import { rolesRoutes } from './roles/routes.ts';
import { createRoles } from './roles/service.ts';
import { scheduledMessagesRoutes } from './scheduled-messages/routes.ts';
import { createSendingJob } from './scheduled-messages/sending.ts';
import { ScheduledMessages } from './scheduled-messages/service.ts';
import { startIndexing } from './search/indexing.ts';
import { searchRoutes } from './search/routes.ts';
import { Searching } from './search/service.ts';
import { tasksRoutes } from './tasks/routes.ts';
import { createTasks } from './tasks/service.ts';
import { threadsRoutes } from './threads/routes.ts';
import { Threads } from './threads/service.ts';
import { typingRoutes } from './typing/routes.ts';
import { createTyping } from './typing/service.ts';
import { createUserCache, type UserCache } from './users/cache.ts';
import { createGuests } from './users/guests.ts';
import { usersRoutes } from './users/routes.ts';
import { Users } from './users/service.ts';

/** Who there is, and what the app lets them do. */
const createPeople = (kernel: Kernel, presence: Presence) => {
  const roles = createRoles(kernel);
  const apps = createApps(kernel);
  const cache = createUserCache(kernel);
  const users = new Users({
    ...{ kernel, cache, presence, roleExists: roles.isAppRole },
    maySearch: (actor) => apps.may(actor, 'search-users'),
  });
  return { roles, apps, cache, users };
};

const createList = () => {
  const list: Feature<unknown>[] = [];
  const add = <Service>(feature: Feature<Service>): Service => {
    list.push(feature);
    return feature.service;
  };
  return { list, add };
};

export type Features = ReturnType<typeof createFeatures>;

/** Every feature, in order: each may use those above it. */
export const createFeatures = (kernel: Kernel, hub: Hub, storage: Storage) => {
  const { list, add } = createList();
  const presence = createPresence((userId) => hub.isOnline(userId));
  const { roles, apps, cache, users } = createPeople(kernel, presence);
  const types = new ChannelTypes(kernel);
  const access = new Access(kernel, types);
  const members = new Members({ kernel, access, users: cache, presence });
  const mentions = createMentions({ users: cache, roleExists: roles.exists });
  const attachments = createAttachments(kernel, access, storage);
  const groupCommit = createGroupCommit(kernel);
  const messaging = createMessaging({
    ...{ kernel, access, mentions, users: cache, ...attachments, groupCommit },
  });
  const { hydrate, pages, messages } = messaging;
  add(createCommands({ kernel, messages }));
  const reactions = new Reactions({ kernel, messages, users: cache });
  const polls = add(createPolls({ kernel, access, users: cache, messages }));
  add(createLocations({ kernel, access, members, messages }));
  const readCounter = createReadCounter(kernel);
  const reads = new Reads(kernel, access, readCounter);
  const muteExpiry = createMuteExpiry(kernel, (userId) => preferences.publishMutes(userId));
  const preferences = new ChannelPreferences({ kernel, access, reads, expiry: muteExpiry });
  const tasks = createTasks(kernel);
  const drafts = new Drafts({ kernel, access, hydrate });
  const states = new ChannelStates({ kernel, drafts, access, users: cache, presence, hydrate, pages, hub });
  const threads = new Threads({ kernel, access, hub, hydrate, messages, states, reads });
  messages.hooks.replied.add((tx, reply, parent) => threads.replied(tx, reply, parent));
  messages.hooks.recounted.add(threads.recounted);
  const making = new ChannelMaking({ kernel, types, access, members, states });
  const channels = new Channels({ kernel, access, making, states });
  const channelChanges = new ChannelChanges({ kernel, access, members, states, counter: readCounter, tasks });
  const deleteMany = createChannelDeleting(access, channelChanges, tasks);
  const receipts = new Receipts({ kernel, access, users: cache });
  const indexing = startIndexing(kernel);
  const expiries = [messaging.pinExpiry, muteExpiry, ...list.flatMap(({ jobs = [] }) => jobs)];
  const timed = createTimed({ kernel, access, users: cache, hydrate, messages }, expiries);
  const searching = new Searching({ kernel, access, hydrate, indexing });
  const linkPreviews = createLinkPreviews(kernel);
  const typing = createTyping(kernel, access);
  const comings = createPresenceService({ kernel, users: cache, types, presence });

  hub.listen({ ...hubAnswers(kernel, access, apps, cache), ...comings });

  return {
    addRoutes(routes: Routes, raw: RawHttp): void {
      for (const feature of list) feature.routes?.(routes, raw);
    },
    createGuests: (tokens: Awaited<Tokens>) => createGuests({ kernel, users, apps, tokens }),
    ...{ roles, users, apps, types, access, members, attachments },
    ...messaging,
    ...{ reactions, polls, reads },
    ...{ threads, drafts, channels, channelChanges, deleteMany },
    ...{ preferences, tasks, receipts, searching, linkPreviews, typing },
    publicChannel: (row: ChannelRow) => states.publicChannel(kernel.db, row),
    ...timed,
    async stop(): Promise<void> {
      comings.stop();
      await readCounter.stop();
      for (const feature of list.toReversed()) await feature.stop?.();
      for (const part of [groupCommit, indexing]) await part.stop();
    },
  };
};

type MessagingDeps = {
  kernel: Kernel;
  access: Access;
  mentions: Mentions;
  users: UserCache;
  attaching: Attaching;
  groupCommit: GroupCommit;
};

/** Messages, with what features below them add when they are read. */
const createMessaging = ({ kernel, access, mentions, users, attaching, groupCommit }: MessagingDeps) => {
  const hooks = createMessageHooks();
  const hydrate = createHydrate({ users, hooks }, kernel.now);
  const pages = new NewestPages({ kernel, users, hydrate, hooks });
  const messages = new Messages({ kernel, access, mentions, attaching, hydrate, groupCommit, hooks });
  const pinExpiry = createPinExpiry(kernel, messages);
  return {
    ...{ hydrate, pages, groupCommit, messages, pinExpiry },
    messageChanges: new MessageChanges({ kernel, messages, mentions, attaching, pinExpiry }),
    messageHistory: new MessageHistory({ kernel, messages, users }),
    pendingMessages: new PendingMessages({ kernel, messages, attaching, users }),
    sendEphemeral: createEphemeral({ kernel, access, messages }),
  };
};

type TimedDeps = {
  kernel: Kernel;
  access: Access;
  users: UserCache;
  hydrate: Hydrate;
  messages: Messages;
};

/** The features whose work falls due at a time, with the jobs that do it. */
const createTimed = ({ kernel, access, users, hydrate, messages }: TimedDeps, expiries: Job[]) => {
  const relay = createRelay(kernel);
  const due = createReminderJob({ kernel, access, users, hydrate, relay });
  const sending = createSendingJob({ kernel, messages, users });
  const reminders = new Reminders({ kernel, access, messages, hydrate, job: due });
  messages.hooks.personal.add(reminders.personal);
  return {
    reminders,
    scheduledMessages: new ScheduledMessages({ kernel, messages, job: sending }),
    startJobs: (): (() => Promise<void>) => {
      const stops = [relay, due, sending, ...expiries].map((job) => job.start());
      return async () => {
        for (const stop of stops.toReversed()) await stop();
      };
    },
  };
};

/** What the hub asks before it lets someone go on listening. */
const hubAnswers = (
  kernel: Kernel,
  access: Access,
  apps: Apps,
  users: UserCache,
): Pick<HubHooks, 'mayWatch' | 'clearedAt' | 'heardTypes' | 'refresh'> => ({
  mayWatch: (actor, cid) => access.mayRead(actor, cid),
  clearedAt: async (actor, cid) => (await access.look(actor, cid))?.member?.cleared_at ?? undefined,
  heardTypes: (actor) => access.memberTypes(actor),
  refresh: async ({ actor, issued }) => {
    const app = await apps.get();
    if (app.suspended) return undefined;
    if (actor.kind === 'anonymous') return app.anonymous_enabled ? actor : undefined;
    const user = await users.get(kernel.db, actor.user.row.id);
    if (!user || user.row.deleted_at !== null || user.row.deactivated_at !== null) return undefined;
    if (user.row.role === 'guest' && !app.guests_enabled) return undefined;
    const since = [app.revoke_tokens_issued_before, user.row.revoke_tokens_issued_before];
    return since.some((before) => isRevoked(issued, before)) ? undefined : { ...actor, user };
  },
});

/** What must be in the database before anyone calls. */
export const ensureDefaults = async ({ apps, roles, types }: Features): Promise<void> => {
  await apps.ensure();
  await roles.ensure();
  await types.ensure();
};

export const addFeatureRoutes = (
  routes: Routes,
  features: Features,
  hub: Hub,
  tokens: Awaited<Tokens>,
): void => {
  rolesRoutes(routes, features.roles);
  usersRoutes(routes, features.users, features.createGuests(tokens));
  appsRoutes(routes, features.apps);
  channelTypesRoutes(routes, features.types);
  membersRoutes(routes, features.members);
  attachmentsRoutes(routes, features.attachments.uploads);
  messagesRoutes(routes, features);
  reactionsRoutes(routes, features.reactions);
  readsRoutes(routes, features.reads, features.receipts);
  channelPreferencesRoutes(routes, features.preferences);
  tasksRoutes(routes, features.tasks);
  channelsRoutes(routes, { ...features, changes: features.channelChanges, hub });
  searchRoutes(routes, features.searching);
  linkPreviewsRoutes(routes, features.linkPreviews);
  threadsRoutes(routes, features.threads);
  draftsRoutes(routes, features.drafts);
  remindersRoutes(routes, features.reminders);
  scheduledMessagesRoutes(routes, features.scheduledMessages);
  typingRoutes(routes, features.typing);
};
