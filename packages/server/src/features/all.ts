import { randomUUID } from 'node:crypto';
import type { MessageInput } from '@parley/protocol';
import type { Tokens } from '../auth/tokens.ts';
import type { Hub } from '../gateway/hub.ts';
import type { Routes } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';
import { appsRoutes } from './apps/routes.ts';
import { createApps } from './apps/service.ts';
import { channelTypesRoutes } from './channel-types/routes.ts';
import { createChannelTypes } from './channel-types/service.ts';
import { createAccess } from './channels/access.ts';
import { createChannelChanges } from './channels/changes.ts';
import { channelsRoutes, type SendAlong } from './channels/routes.ts';
import { createChannels } from './channels/service.ts';
import { createChannelStates } from './channels/state.ts';
import { membersRoutes } from './members/routes.ts';
import { createMembers } from './members/service.ts';
import { createMessageChanges } from './messages/changes.ts';
import { createGroupCommit } from './messages/group-commit.ts';
import { createHydrate } from './messages/hydrate.ts';
import { messagesRoutes } from './messages/routes.ts';
import { createMessages, type SendHook } from './messages/service.ts';
import { createPresence } from './presence/registry.ts';
import { createPresenceService } from './presence/service.ts';
import { reactionsRoutes } from './reactions/routes.ts';
import { createReactions } from './reactions/service.ts';
import { readsRoutes } from './reads/routes.ts';
import { createReads } from './reads/service.ts';
import { rolesRoutes } from './roles/routes.ts';
import { createRoles } from './roles/service.ts';
import { typingRoutes } from './typing/routes.ts';
import { createTyping } from './typing/service.ts';
import { createUserCache } from './users/cache.ts';
import { usersRoutes } from './users/routes.ts';
import { createUsers } from './users/service.ts';

export type Features = ReturnType<typeof createFeatures>;

/** Every feature, in order: each may use those above it. */
export const createFeatures = (kernel: Kernel, hub: Hub) => {
  const presence = createPresence(hub.isOnline);
  const roles = createRoles(kernel);
  const cache = createUserCache(kernel);
  const users = createUsers({ kernel, cache, presence, roleExists: roles.exists });
  const apps = createApps(kernel);
  const types = createChannelTypes(kernel);
  const access = createAccess(kernel, types);
  const hydrate = createHydrate(cache);
  const members = createMembers({ kernel, access, users: cache, presence, roleExists: roles.exists });
  const states = createChannelStates({ kernel, access, users: cache, presence, hydrate, hub });
  const channels = createChannels({ kernel, access, types, members, states });
  const channelChanges = createChannelChanges({ kernel, access, members, states });
  const groupCommit = createGroupCommit(kernel);
  const pipeline: SendHook[] = [];
  const messages = createMessages({ kernel, access, users: cache, hydrate, groupCommit, pipeline });
  const messageChanges = createMessageChanges({ kernel, messages, users: cache });
  const reactions = createReactions({ kernel, messages, users: cache });
  const reads = createReads(kernel, access);
  const typing = createTyping(kernel, access);
  const presenceService = createPresenceService({ kernel, users: cache, types, presence });

  hub.setHooks({
    mayWatch: async (actor, cid) =>
      (await access.look(actor, cid))?.capabilities.has('read-channel') ?? false,
    refresh: async (actor) => {
      if (actor.kind === 'anonymous') return actor;
      const user = await cache.get(actor.user.row.id);
      return user && user.row.deleted_at === null && user.row.deactivated_at === null
        ? { ...actor, user }
        : undefined;
    },
    onFirst: presenceService.onFirst,
    onLast: presenceService.onLast,
    onWatch: presenceService.onWatch,
  });

  const sendAlong: SendAlong = async (actor, cid, input) => {
    const id = typeof input.id === 'string' ? input.id : randomUUID();
    await messages.send(actor, cid, { ...input, id } as MessageInput);
    return messages.get(actor, id);
  };

  return {
    roles,
    users,
    apps,
    types,
    access,
    members,
    channels,
    channelChanges,
    messages,
    messageChanges,
    reactions,
    reads,
    typing,
    groupCommit,
    pipeline,
    async ensure(): Promise<void> {
      await apps.ensure();
      await roles.ensure();
      await types.ensure();
    },
    addRoutes(routes: Routes, tokens: Awaited<Tokens>): void {
      usersRoutes(routes, users, tokens);
      rolesRoutes(routes, roles);
      appsRoutes(routes, apps);
      channelTypesRoutes(routes, types);
      membersRoutes(routes, members);
      channelsRoutes(routes, { channels, changes: channelChanges, hub, sendAlong });
      messagesRoutes(routes, messages, messageChanges);
      reactionsRoutes(routes, reactions);
      readsRoutes(routes, reads);
      typingRoutes(routes, typing);
    },
    async stop(): Promise<void> {
      presenceService.stop();
      await groupCommit.stop();
    },
  };
};
