import type pg from 'pg';
import type { Kernel } from '../../kernel.ts';
import type { LocationRow } from './record.ts';

export type Move = {
  messageId: string;
  userId: string;
  deviceId: string;
  latitude: number;
  longitude: number;
};
/** Undefined: nothing live of this user and device. */
type Waiting = { move: Move; resolve(row: LocationRow | undefined): void; reject(error: unknown): void };

const mostPerCommit = 400;

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
    ) t where s.message_id = t.message_id returning s.*`,
};

const connect = async ({ pools }: Kernel): Promise<pg.Client> => {
  const client = await pools.connectPipelined();
  // A place that a crash loses is said again three seconds later: no flush to disk for it.
  await client.query('set synchronous_commit = off');
  return client;
};

export type PositionLane = ReturnType<typeof createPositionLane>;

/** Moves that arrive while one is under way share the next statement. They lock no channel. */
export const createPositionLane = (kernel: Kernel) => {
  let queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let connection: Promise<pg.Client> | undefined;

  const drop = async (): Promise<void> => {
    const old = connection;
    connection = undefined;
    await old?.then((client) => client.end()).catch(() => undefined);
  };

  const store = async (moves: Move[]): Promise<Map<string, LocationRow>> => {
    connection ??= connect(kernel);
    const client = await connection;
    const { rows } = await client.query<LocationRow>({
      ...statement,
      values: [
        moves.map((move) => move.messageId),
        moves.map((move) => move.userId),
        moves.map((move) => move.deviceId),
        moves.map((move) => move.latitude),
        moves.map((move) => move.longitude),
        kernel.now(),
      ],
    });
    return new Map(rows.map((row) => [`${row.message_id} ${row.user_id} ${row.created_by_device_id}`, row]));
  };

  const keyOf = ({ messageId, userId, deviceId }: Move): string => `${messageId} ${userId} ${deviceId}`;

  const run = async (batch: Waiting[]): Promise<void> => {
    try {
      // The last of each: an update that meets a row twice keeps an arbitrary one.
      const moves = [...new Map(batch.map(({ move }) => [keyOf(move), move])).values()];
      const rows = await store(moves);
      for (const { move, resolve } of batch) resolve(rows.get(keyOf(move)));
    } catch (error) {
      await drop();
      for (const { reject } of batch) reject(error);
    }
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.slice(0, mostPerCommit);
      queue = queue.slice(mostPerCommit);
      await run(batch);
    }
    running = undefined;
  };

  return {
    move: (move: Move): Promise<LocationRow | undefined> =>
      new Promise((resolve, reject) => {
        queue.push({ move, resolve, reject });
        running ??= pump();
      }),
    async stop(): Promise<void> {
      await running;
      await drop();
    },
  };
};
