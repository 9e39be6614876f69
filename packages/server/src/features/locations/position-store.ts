import type pg from 'pg';
import { columnsOf } from '../../db/columns.ts';
import type { LocationRow } from './record.ts';

export type Move = {
  messageId: string;
  userId: string;
  deviceId: string;
  latitude: number;
  longitude: number;
};

/** One statement moves all, and locks each row in the order in which all lock them. */
const move = {
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

/** Moves the shares that are live, and returns those. Each share may be named once. */
export const movePositions = async (
  client: pg.Client,
  moves: Move[],
  now: string,
): Promise<LocationRow[]> => {
  const { rows } = await client.query<LocationRow>({
    ...move,
    values: [
      moves.map(({ messageId }) => messageId),
      moves.map(({ userId }) => userId),
      moves.map(({ deviceId }) => deviceId),
      moves.map(({ latitude }) => latitude),
      moves.map(({ longitude }) => longitude),
      now,
    ],
  });
  return rows;
};
