import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLane } from '../../work/lane.ts';
import type { Sources } from '../messages/hydrate.ts';
import type { PlaceHook } from '../messages/send-alone.ts';
import type { SendHook } from '../messages/service.ts';
import { createPollAccess } from './access.ts';
import { Polls } from './changes.ts';
import { createPollExpiry } from './expiry.ts';
import { PollOptions } from './options.ts';
import { createPollPublisher } from './publishing.ts';
import { createPollReader } from './reader.ts';
import { attachPoll, createPollCheck } from './sending.ts';
import { type Ask, type Cast, castBatch } from './vote-batch.ts';
import { PollVotes } from './votes.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  sources: Sources;
  pipeline: SendHook[];
  placed: PlaceHook[];
};

export type PollServices = ReturnType<typeof createPolls>;

/** The parts of polls, with what they hang into the sending of messages. */
export const createPolls = ({ kernel, access, sources, pipeline, placed }: Deps) => {
  const { users } = sources;
  const reader = createPollReader(users, kernel.now);
  sources.findPolls = reader.find;
  const pollAccess = createPollAccess(kernel, access);
  const publisher = createPollPublisher({ kernel, reader, users });
  const lane = createLane<Ask, Cast>(kernel, {
    connect: () => kernel.pools.connectPipelined(),
    commit: (client, asks) => castBatch(client, asks, kernel.now),
  });
  const expiry = createPollExpiry({
    ...{ kernel, pollAccess, publisher },
    publishClosed: (tx, row) => polls.publish(tx, row, 'poll.closed'),
  });
  const polls = new Polls({ kernel, access, pollAccess, reader, expiry });
  const options = new PollOptions({ kernel, pollAccess, polls });
  const votes = new PollVotes({ kernel, access, pollAccess, users, reader, lane, publisher });
  pipeline.push(createPollCheck(kernel));
  placed.push(attachPoll);
  return {
    polls,
    options,
    votes,
    expiry,
    async stop(): Promise<void> {
      await lane.stop();
      await publisher.stop();
    },
  };
};
