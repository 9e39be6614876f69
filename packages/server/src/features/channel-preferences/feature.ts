import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Reads } from '../reads/service.ts';
import { createMuteExpiry } from './mute-expiry.ts';
import { channelPreferencesRoutes } from './routes.ts';
import { ChannelPreferences } from './service.ts';

type Deps = { kernel: Kernel; access: Access; reads: Reads };

export const createChannelPreferences = ({ kernel, access, reads }: Deps): Feature<ChannelPreferences> => {
  const expiry = createMuteExpiry(kernel, (userId) => service.publishMutes(userId));
  const service = new ChannelPreferences({ kernel, access, reads, expiry });
  return { service, routes: (routes) => channelPreferencesRoutes(routes, service), jobs: [expiry] };
};
