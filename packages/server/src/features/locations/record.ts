import type { SharedLocation } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { SharedLocationsTable } from '../../db/locations-table.ts';

export type LocationRow = Selectable<SharedLocationsTable>;

export const toSharedLocation = (row: LocationRow): SharedLocation => ({
  message_id: row.message_id,
  cid: row.cid,
  user_id: row.user_id,
  latitude: row.latitude,
  longitude: row.longitude,
  ...(row.end_at === null ? {} : { end_at: row.end_at }),
  created_by_device_id: row.created_by_device_id,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
