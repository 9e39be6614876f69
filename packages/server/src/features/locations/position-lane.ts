import type pg from 'pg';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLane, type Lane } from '../../work/lane.ts';
import { type Move, movePositions } from './position-store.ts';
import type { LocationRow } from './record.ts';

/** Undefined: nothing live of this user and device. */
type Found = LocationRow | undefined;

const connect = async ({ pools }: Kernel): Promise<pg.Client> => {
  const client = await pools.connectPipelined();
  // A position that a crash loses is sent again three seconds later: no flush to disk for it.
  await client.query('set synchronous_commit = off');
  return client;
};

const keyOf = ({ messageId, userId, deviceId }: Move): string => `${messageId} ${userId} ${deviceId}`;

const store = async (client: pg.Client, asked: Move[], now: string): Promise<Found[]> => {
  // The last of each: an update that meets a row twice keeps an arbitrary one.
  const moves = [...new Map(asked.map((move) => [keyOf(move), move])).values()];
  const rows = await movePositions(client, moves, now);
  const found = new Map(
    rows.map((row) => [`${row.message_id} ${row.user_id} ${row.created_by_device_id}`, row]),
  );
  return asked.map((move) => found.get(keyOf(move)));
};

export type PositionLane = Lane<Move, Found>;

/** Moves share statements, and lock no channel. */
export const createPositionLane = (kernel: Kernel): PositionLane =>
  createLane(kernel, {
    name: 'positions',
    connect: () => connect(kernel),
    commit: (client, moves) => store(client, moves, kernel.now()),
  });
