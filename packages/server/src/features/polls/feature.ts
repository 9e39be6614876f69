import type { Access } from '../../access/access.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Feature } from '../../wiring/feature.ts';
import { createLane } from '../../work/lane.ts';
import type { Messages } from '../messages/service.ts';
import type { UserCache } from '../users/cache.ts';
import { createPollAccess } from './access.ts';
import { createPollExpiry } from './expiry.ts';
import { PollOptions } from './options.ts';
import { createPollPublisher } from './publishing.ts';
import { createPollReader } from './reader.ts';
import { type PollServices, pollsRoutes } from './routes.ts';
import { attachPoll, createPollCheck } from './send-hooks.ts';
import { Polls } from './service.ts';
import { type Ask, type Cast, castBatch } from './vote-batch.ts';
import { PollVotes } from './votes.ts';

type Deps = { kernel: Kernel; access: Access; users: UserCache; messages: Messages };

export const createPolls = ({ kernel, access, users, messages }: Deps): Feature<PollServices> => {
  const reader = createPollReader(users, kernel.now);
  const pollAccess = createPollAccess(kernel, access);
  const publisher = createPollPublisher({ kernel, reader, users });
  const lane = createLane<Ask, Cast>(kernel, {
    name: 'votes',
    connect: () => kernel.pools.connectPipelined(),
    commit: (client, asks) => castBatch(client, asks, kernel.now),
  });
  const expiry = createPollExpiry({
    kernel,
    pollAccess,
    publisher,
    publishClosed: (tx, row) => polls.publish(tx, row, 'poll.closed'),
  });
  const polls = new Polls({ kernel, access, pollAccess, reader, expiry });
  const options = new PollOptions({ kernel, pollAccess, polls });
  const votes = new PollVotes({ kernel, access, pollAccess, users, reader, lane, publisher });
  messages.hooks.findPolls.set(reader.find);
  messages.hooks.beforeSend.add(createPollCheck(kernel));
  messages.hooks.inserted.add(attachPoll);
  const service = { polls, options, votes };
  return {
    service,
    routes: (routes) => pollsRoutes(routes, service),
    jobs: [expiry],
    async stop() {
      await lane.stop();
      await publisher.stop();
    },
  };
};
