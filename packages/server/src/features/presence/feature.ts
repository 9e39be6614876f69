import type { Access } from '../../access/access.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Presence } from '../../hub/presence.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Apps } from '../apps/service.ts';
import type { ChannelTypes } from '../channel-types/service.ts';
import type { UserCache } from '../users/cache.ts';
import { createConnectionRights } from './connection-rights.ts';
import { createPresenceService, type PresenceService } from './service.ts';

type Deps = {
  kernel: Kernel;
  hub: Hub;
  access: Access;
  presence: Presence;
  apps: Apps;
  users: UserCache;
  types: ChannelTypes;
};

export const createPresence = (deps: Deps): Feature<PresenceService> => {
  const { kernel, hub, access, presence, apps, users, types } = deps;
  const isFollowed = (userId: string) => hub.isFollowed(userId);
  const service = createPresenceService({ kernel, users, types, presence, isFollowed });
  const { onFirst, onLast, onWatch, stop } = service;
  hub.listen({ ...createConnectionRights({ kernel, access, apps, users }), onFirst, onLast, onWatch });
  return { service, stop };
};
