import type { User } from '@parley/protocol';
import type { UserRow } from '../../db/rows.ts';

/** The user as others see it, without presence: the same in every event. */
export const toUser = (row: UserRow): User => ({
  ...row.data,
  id: row.id,
  ...(row.name === null ? {} : { name: row.name }),
  ...(row.image === null ? {} : { image: row.image }),
  role: row.role,
  created_at: row.created_at,
  updated_at: row.updated_at,
  banned: row.banned,
  ...(row.deactivated_at === null ? {} : { deactivated_at: row.deactivated_at }),
  ...(row.deleted_at === null ? {} : { deleted_at: row.deleted_at }),
});
