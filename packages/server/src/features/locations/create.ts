import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { LeaveHook } from '../members/service.ts';
import type { WithdrawHook } from '../messages/changes.ts';
import type { Sources } from '../messages/hydrate.ts';
import type { PlaceHook } from '../messages/send-alone.ts';
import type { SendHook } from '../messages/service.ts';
import { createLocationExpiry } from './expiry.ts';
import { createPositionLane } from './position-lane.ts';
import { createLocationPublisher, publishOwn } from './publishing.ts';
import { createAnnounce, createLocationCheck, placeLocation } from './sending.ts';
import { Locations } from './service.ts';
import { findLocations } from './store.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  sources: Sources;
  pipeline: SendHook[];
  placed: PlaceHook[];
  announced: PlaceHook[];
  withdrawn: WithdrawHook[];
  left: LeaveHook[];
};

/** The parts of locations, with what they hang into the sending and deleting of messages. */
export const createLocations = ({ kernel, access, sources, ...hooks }: Deps) => {
  sources.findLocations = findLocations;
  const publisher = createLocationPublisher(kernel);
  const lane = createPositionLane(kernel);
  const expiry = createLocationExpiry(kernel, publisher);
  const locations = new Locations({ kernel, access, lane, publisher, expiry });
  hooks.pipeline.push(createLocationCheck(kernel));
  hooks.placed.push(placeLocation);
  hooks.announced.push(createAnnounce(expiry, publishOwn));
  hooks.withdrawn.push(locations.withdrawn);
  hooks.left.push(locations.left);
  return {
    locations,
    expiry,
    async stop(): Promise<void> {
      await lane.stop();
      await publisher.stop();
    },
  };
};
