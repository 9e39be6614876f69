import { times } from '@parley/protocol';
import type { Bench, Measured } from './bench.ts';
import type { Shape } from './jobs.ts';
import { runLoad } from './processes.ts';
import { blemishesOf, decimal, latencyOf, whole } from './report.ts';
import { createRooms } from './setup.ts';

const moving: Shape = {
  channelType: 'messaging',
  channelPrefix: 'bench-location',
  rooms: 50,
  watchers: 10,
  senders: 1,
  inFlight: 4,
};
const still: Shape = { ...moving, channelPrefix: 'bench-no-location' };
const perSecond = 200;
const most = 2;

/** Sends at a fixed rate to rooms in which everyone shares a live location, and to rooms in which nobody does. */
export const measureLocation = async (bench: Bench): Promise<Measured> => {
  const { plan, parley: target } = bench;
  await createRooms(target, moving, true);
  await createRooms(target, still, true);
  const everyMs = times.locationUpdate;
  const job = { kind: 'location', plan, moving, still, parley: target, perSecond, everyMs } as const;
  const { parley, bare } = await runLoad(job);
  if (!parley || !bare) throw new Error('the generator gave no result');
  const people = moving.rooms * moving.watchers;
  return {
    raw: { parley, bare },
    blemishes: [...blemishesOf('location', parley), ...blemishesOf('location, without', bare)],
    rows: [
      {
        name: `${perSecond} sends/s, ${people} live locations each ${everyMs / 1000} s, ${moving.rooms} channels: p99 ms`,
        parley: decimal(parley.p99, 1),
        limit: `${decimal(bare.p99, 1)} without`,
        ratio: decimal(parley.p99 / bare.p99),
        target: `≤ ${most}`,
        ok: parley.missing === 0 && parley.errors === 0 && parley.p99 <= most * bare.p99,
        latency: latencyOf(parley),
      },
      {
        name: '  sends acknowledged a second',
        parley: whole(parley.perSecond),
        limit: `${whole(bare.perSecond)} without`,
        ratio: decimal(parley.perSecond / bare.perSecond),
        target: '',
        ok: undefined,
        latency: latencyOf(bare),
      },
    ],
  };
};
