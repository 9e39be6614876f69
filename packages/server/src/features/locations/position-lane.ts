import type pg from 'pg';
import { columnsOf } from '../../db/columns.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createLane, type Lane } from '../../work/lane.ts';
import type { LocationRow } from './record.ts';

export type Move = {
  messageId: string;
  userId: string;
  deviceId: string;
  latitude: number;
  longitude: number;
};
/** Undefined: nothing live of this user and device. */
type Found = LocationRow | undefined;

/** In one statement, each row locked in the order in which all lock them. */
const statement = {
  name: 'locations-move',
  text: `update shared_locations s set latitude = t.latitude, longitude = t.longitude, untold = true,
      updated_at = greatest(s.updated_at + interval '1 millisecond', $6::timestamptz)
    from (
      select l.message_id, g.latitude, g.longitude from shared_locations l
      join unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[])
        as g (message_id, user_id, device_id, latitude, longitude) on l.message_id = g.message_id
      where l.user_id = g.user_id and l.created_by_device_id = g.device_id
        and not l.ended and l.end_at > $6::timestamptz
      order by l.message_id for update of l
    ) t where s.message_id = t.message_id returning ${columnsOf('shared_locations', 's')}`,
};

const connect = async ({ pools }: Kernel): Promise<pg.Client> => {
  const client = await pools.connectPipelined();
  // A place that a crash loses is said again three seconds later: no flush to disk for it.
  await client.query('set synchronous_commit = off');
  return client;
};

const keyOf = ({ messageId, userId, deviceId }: Move): string => `${messageId} ${userId} ${deviceId}`;

const store = async (client: pg.Client, asked: Move[], now: string): Promise<Found[]> => {
  // The last of each: an update that meets a row twice keeps an arbitrary one.
  const moves = [...new Map(asked.map((move) => [keyOf(move), move])).values()];
  const { rows } = await client.query<LocationRow>({
    ...statement,
    values: [
      moves.map((move) => move.messageId),
      moves.map((move) => move.userId),
      moves.map((move) => move.deviceId),
      moves.map((move) => move.latitude),
      moves.map((move) => move.longitude),
      now,
    ],
  });
  const found = new Map(
    rows.map((row) => [`${row.message_id} ${row.user_id} ${row.created_by_device_id}`, row]),
  );
  return asked.map((move) => found.get(keyOf(move)));
};

export type PositionLane = Lane<Move, Found>;

/** Moves share statements, and lock no channel. */
export const createPositionLane = (kernel: Kernel): PositionLane =>
  createLane(kernel, {
    connect: () => connect(kernel),
    commit: (client, moves) => store(client, moves, kernel.now()),
  });
