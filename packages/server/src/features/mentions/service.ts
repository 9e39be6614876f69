import { invalid, isStaffRole } from '@parley/protocol';
import { type Place, requireCapability } from '../../access/place.ts';
import type { UserEntry } from '../../auth/actor.ts';
import type { Db, MessageMarks } from '../../db/schema.ts';
import { listMembersAmong } from '../members/store.ts';
import type { RoleExists } from '../roles/service.ts';
import type { UserCache } from '../users/cache.ts';

type Calls = Pick<MessageMarks, 'mentioned_roles' | 'mentioned_here' | 'mentioned_channel'>;
type Said = {
  mentioned_roles?: string[] | null | undefined;
  mentioned_here?: boolean | null | undefined;
  mentioned_channel?: boolean | null | undefined;
};

/** The groups that a message mentions besides single people; null when there are none. */
export const callsOf = ({ mentioned_roles, mentioned_here, mentioned_channel }: Said): Calls | null => {
  const roles = [...new Set(mentioned_roles ?? [])];
  if (roles.length === 0 && !mentioned_here && !mentioned_channel) return null;
  return {
    ...(roles.length > 0 ? { mentioned_roles: roles } : {}),
    ...(mentioned_here ? { mentioned_here } : {}),
    ...(mentioned_channel ? { mentioned_channel } : {}),
  };
};

type Asked = {
  users: string[];
  calls: Calls | null;
  /** The message as it stands before an edit: whom it names already may stay. */
  before?: { mentioned: string[]; marks: Calls | null };
};

export type Mentions = ReturnType<typeof createMentionService>;
type Deps = { users: UserCache; roleExists: RoleExists };

const nobody: ReadonlyMap<string, UserEntry> = new Map();

export const createMentionService = ({ users, roleExists }: Deps) => {
  const checkCalls = async (
    db: Db,
    place: Place,
    calls: Calls,
    before: Calls | null | undefined,
  ): Promise<void> => {
    const isNew =
      (calls.mentioned_here && !before?.mentioned_here) ||
      (calls.mentioned_channel && !before?.mentioned_channel) ||
      calls.mentioned_roles?.some((role) => !before?.mentioned_roles?.includes(role));
    if (isNew) requireCapability(place, 'mention-everyone');
    for (const [index, role] of (calls.mentioned_roles ?? []).entries())
      if (!before?.mentioned_roles?.includes(role) && !(await roleExists(db, role)))
        throw invalid(`message.mentioned_roles.${index}`, `no role ${role}`);
  };

  const checkUsers = async (db: Db, place: Place, ids: string[], kept: ReadonlySet<string>) => {
    const found = await users.getMany(db, ids);
    const rows = await listMembersAmong(db, [place.channel.cid], ids);
    const members = new Set(rows.map((row) => row.user_id));
    for (const [index, id] of ids.entries()) {
      const path = `message.mentioned_users.${index}`;
      const user = found.get(id);
      if (!user) throw invalid(path, `no user ${id}`);
      if (members.has(id) || kept.has(id)) continue;
      // Where everyone may read without joining, nobody is an outsider; a direct conversation is for its people and staff.
      const { role } = user.row;
      const isOpen = place.channel.distinct_key === null || isStaffRole(role);
      if (!isOpen || !place.type.grants([role]).any.has('read-channel'))
        throw invalid(path, `${id} is not in ${place.channel.cid}`);
    }
    return found;
  };

  return {
    /** The people a message names. Refuses strangers, outsiders, and calls that the actor may not make. */
    async check(
      db: Db,
      place: Place,
      { users: ids, calls, before }: Asked,
    ): Promise<ReadonlyMap<string, UserEntry>> {
      if (calls) await checkCalls(db, place, calls, before?.marks);
      return ids.length === 0 ? nobody : checkUsers(db, place, ids, new Set(before?.mentioned));
    },
  };
};
