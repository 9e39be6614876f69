import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { channelTypesRoutes } from './routes.ts';
import { ChannelTypes } from './service.ts';

export const createChannelTypes = ({ kernel }: { kernel: Kernel }): Feature<ChannelTypes> => {
  const service = new ChannelTypes(kernel);
  return {
    service,
    ensure: () => service.ensure(),
    routes: (routes) => channelTypesRoutes(routes, service),
  };
};
