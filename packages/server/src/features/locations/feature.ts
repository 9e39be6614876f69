import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import type { Members } from '../members/service.ts';
import type { Messages } from '../messages/service.ts';
import { createLocationExpiry } from './expiry.ts';
import { createPositionLane } from './position-lane.ts';
import { createLocationPublisher, publishOwn } from './publishing.ts';
import { locationsRoutes } from './routes.ts';
import { createAnnounce, createLocationCheck, placeLocation } from './send-hooks.ts';
import { Locations } from './service.ts';
import { findLocations } from './store.ts';

type Deps = { kernel: Kernel; access: Access; members: Members; messages: Messages };

export const createLocations = ({ kernel, access, members, messages }: Deps): Feature<Locations> => {
  const publisher = createLocationPublisher(kernel);
  const lane = createPositionLane(kernel);
  const expiry = createLocationExpiry(kernel, publisher);
  const service = new Locations({ kernel, access, lane, publisher, expiry });
  members.hooks.left.add(service.left);
  messages.hooks.findLocations.set(findLocations);
  messages.hooks.beforeSend.add(createLocationCheck(kernel));
  messages.hooks.inserted.add(placeLocation);
  messages.hooks.logged.add(createAnnounce(expiry, publishOwn));
  messages.hooks.withdrawn.add(service.withdrawn);
  return {
    service,
    routes: (routes) => locationsRoutes(routes, service),
    jobs: [expiry],
    async stop() {
      await lane.stop();
      await publisher.stop();
    },
  };
};
