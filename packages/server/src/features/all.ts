import { Access } from '../access/access.ts';
import { isRevoked } from '../auth/revocation.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Hub, HubHooks } from '../gateway/hub.ts';
import { createPresence } from '../gateway/presence.ts';
import type { Routes } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { appsRoutes } from './apps/routes.ts';
import { type Apps, createApps } from './apps/service.ts';
import { channelTypesRoutes } from './channel-types/routes.ts';
import { ChannelTypes } from './channel-types/service.ts';
import { ChannelChanges } from './channels/changes.ts';
import { ChannelMaking } from './channels/making.ts';
import { channelsRoutes } from './channels/routes.ts';
import { Channels } from './channels/service.ts';
import { ChannelStates } from './channels/state.ts';
import { membersRoutes } from './members/routes.ts';
import { Members } from './members/service.ts';
import { MessageChanges } from './messages/changes.ts';
import { createGroupCommit } from './messages/group-commit.ts';
import { createHydrate } from './messages/hydrate.ts';
import { messagesRoutes } from './messages/routes.ts';
import { Messages, type SendHook } from './messages/service.ts';
import { createPresenceService } from './presence/service.ts';
import { reactionsRoutes } from './reactions/routes.ts';
import { Reactions } from './reactions/service.ts';
import { readsRoutes } from './reads/routes.ts';
import { Reads } from './reads/service.ts';
import { rolesRoutes } from './roles/routes.ts';
import { createRoles } from './roles/service.ts';
import { typingRoutes } from './typing/routes.ts';
import { createTyping } from './typing/service.ts';
import { createUserCache, type UserCache } from './users/cache.ts';
import { usersRoutes } from './users/routes.ts';
import { Users } from './users/service.ts';

export type Features = ReturnType<typeof createFeatures>;

/** Every feature, in order: each may use those above it. */
export const createFeatures = (kernel: Kernel, hub: Hub) => {
  const presence = createPresence((userId) => hub.isOnline(userId));
  const roles = createRoles(kernel);
  const cache = createUserCache(kernel);
  const users = new Users({ kernel, cache, presence, roleExists: roles.exists });
  const apps = createApps(kernel);
  const types = new ChannelTypes(kernel);
  const access = new Access(kernel, types);
  const members = new Members({ kernel, access, users: cache, presence, roleExists: roles.exists });
  const hydrate = createHydrate(cache);
  const groupCommit = createGroupCommit(kernel);
  const pipeline: SendHook[] = [];
  const messages = new Messages({ kernel, access, users: cache, hydrate, groupCommit, pipeline });
  const messageChanges = new MessageChanges({ kernel, messages, users: cache });
  const reactions = new Reactions({ kernel, messages, users: cache });
  const reads = new Reads(kernel, access);
  const states = new ChannelStates({ kernel, access, users: cache, presence, hydrate, hub });
  const making = new ChannelMaking({ kernel, types, members, states });
  const channels = new Channels({ kernel, access, making, states });
  const channelChanges = new ChannelChanges({ kernel, access, members, states });
  const typing = createTyping(kernel, access);
  const comings = createPresenceService({ kernel, users: cache, types, presence });

  hub.listen({ ...hubAnswers(access, apps, cache), ...comings });

  return {
    roles,
    users,
    apps,
    types,
    access,
    members,
    messages,
    messageChanges,
    reactions,
    reads,
    channels,
    channelChanges,
    typing,
    groupCommit,
    async stop(): Promise<void> {
      comings.stop();
      await groupCommit.stop();
    },
  };
};

/** What the hub asks before it lets someone go on listening. */
const hubAnswers = (
  access: Access,
  apps: Apps,
  users: UserCache,
): Pick<HubHooks, 'mayWatch' | 'heardTypes' | 'refresh'> => ({
  mayWatch: (actor, cid) => access.mayRead(actor, cid),
  heardTypes: (actor) => access.memberTypes(actor),
  refresh: async ({ actor, issued }) => {
    const app = await apps.get();
    if (app.suspended) return undefined;
    if (actor.kind === 'anonymous') return actor;
    const user = await users.get(actor.user.row.id);
    if (!user || user.row.deleted_at !== null || user.row.deactivated_at !== null) return undefined;
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
  usersRoutes(routes, features.users, tokens);
  appsRoutes(routes, features.apps);
  channelTypesRoutes(routes, features.types);
  membersRoutes(routes, features.members);
  messagesRoutes(routes, features.messages, features.messageChanges);
  reactionsRoutes(routes, features.reactions);
  readsRoutes(routes, features.reads);
  channelsRoutes(routes, { ...features, changes: features.channelChanges, hub });
  typingRoutes(routes, features.typing);
};
