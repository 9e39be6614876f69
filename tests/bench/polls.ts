import { times } from '@parley/protocol';
import type { Bench, Measured } from './bench.ts';
import { channelId, pollOptions, type Shape, userId } from './jobs.ts';
import { runLoad } from './processes.ts';
import { blemishesOf, decimal, latencyOf, whole } from './report.ts';
import { createRooms, post } from './setup.ts';

const shape: Shape = {
  channelType: 'messaging',
  channelPrefix: 'bench-polls',
  rooms: 20,
  watchers: 50,
  senders: 1,
  inFlight: 1,
};
const perSecond = 2000;

const askIn = async ({ parley }: Bench, room: number) => {
  const author = userId(room * shape.watchers);
  const id = `${channelId(shape, room)}-${Date.now().toString(36)}`;
  await post(parley, '/polls', {
    ...{ id, user_id: author, name: 'Which?', options: pollOptions, enforce_unique_vote: true },
  });
  await post(parley, `/channels/${shape.channelType}/${channelId(shape, room)}/message`, {
    message: { id, poll_id: id, user_id: author },
  });
  return { messageId: id, pollId: id };
};

/** Votes at a fixed rate over polls that all members of their channels watch. */
export const measurePolls = async (bench: Bench): Promise<Measured> => {
  await createRooms(bench.parley, shape, true);
  const places = [];
  for (let room = 0; room < shape.rooms; room++) places.push(await askIn(bench, room));
  const { plan, parley: target } = bench;
  const job = { kind: 'votes', plan, shape, parley: target, perSecond, places } as const;
  const { parley } = await runLoad(job);
  if (!parley) throw new Error('the generator gave no result');
  const watchers = shape.rooms * shape.watchers;
  const most = 1000 / times.pollUpdate;
  const updates = parley.deliveriesPerSecond / watchers;
  return {
    raw: { parley },
    blemishes: blemishesOf('polls', { ...parley, missing: 0 }),
    rows: [
      {
        name: `${whole(perSecond)} votes/s, ${shape.rooms} polls × ${shape.watchers} watchers: votes/s`,
        parley: whole(parley.perSecond),
        limit: `${whole(perSecond)} asked for`,
        ratio: decimal(parley.perSecond / perSecond),
        target: 'no growing queue',
        ok: parley.missing === 0 && parley.errors === 0 && parley.perSecond >= 0.98 * perSecond,
        latency: latencyOf(parley),
      },
      {
        name: '  updates a second of its poll at each watcher',
        parley: decimal(updates, 1),
        limit: `${whole(parley.bytesPerDelivery)} bytes each`,
        ratio: '',
        target: `≤ ${most}`,
        ok: updates > 0 && updates <= most + 0.1,
        latency: '',
      },
    ],
  };
};
