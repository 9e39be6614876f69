import type { Kernel } from '../../kernel/kernel.ts';
import { createLane } from '../../work/lane.ts';
import { type CommittedBatch, commitBatch, type Sent } from './commit-batch.ts';
import { commitOne } from './commit-one.ts';
import type { Prepared } from './prepare.ts';
import { createUnsureSends } from './unsure-sends.ts';

type Counts = { commits: number; messages: number };

export type GroupCommit = {
  send(message: Prepared): Promise<Sent>;
  stop(): Promise<void>;
  counts: Counts;
};

/** The lane of sends. A send that is alone takes one statement; those that share a commit take two round trips. A channel that
 * another transaction holds delays only its own messages. */
export const createGroupCommit = (kernel: Kernel): GroupCommit => {
  const { now, pools, tracer } = kernel;
  const counts = { commits: 0, messages: 0 };

  const publish = ({ placed }: CommittedBatch): void => {
    counts.commits++;
    counts.messages += placed.length;
    kernel.publishStored(
      placed.map(({ row: { cid, seq }, eventJson: json }) => ({
        kind: 'channel',
        cid,
        type: 'message.new',
        seq,
        json,
      })),
    );
  };

  const lane = createLane<Prepared, Sent>(kernel, {
    name: 'sends',
    connect: () => pools.connectPipelined(),
    keyOf: ({ cid }) => cid,
    commit: async (client, messages, { isFirstTry, patience }) => {
      const [only] = messages;
      const one =
        isFirstTry && messages.length === 1 && only ? await commitOne(client, only, now()) : undefined;
      const committed = one ?? (await commitBatch(client, messages, { now, patience }));
      // Events are published before the answers: nobody is answered whose message is not on its way to the others.
      publish(committed);
      return committed.outcomes;
    },
    settleLost: createUnsureSends(kernel),
  });
  return {
    counts,
    send: (message) => tracer.within('group commit', () => lane.ask(message)),
    stop: lane.stop.bind(lane),
  };
};
