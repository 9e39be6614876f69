import type { Access } from '../../access/access.ts';
import { isCleared } from '../../access/place.ts';
import type { ChannelRow, MemberRow } from '../../db/rows.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { listChannels } from '../channels/store.ts';
import { listMembersAmong } from '../members/store.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { findMessages } from '../messages/store.ts';
import type { UserCache } from '../users/cache.ts';
import { toReminder } from './record.ts';
import { claimDue, findNextDue, type ReminderRow } from './store.ts';

type Deps = { kernel: Kernel; access: Access; users: UserCache; hydrate: Hydrate };
type Db = Kernel['db'];
type DueReminder = { row: ReminderRow; reminder: ReturnType<typeof toReminder> };

const batch = 400;
const keyOf = (cid: string, userId: string): string => `${cid} ${userId}`;

const findPlaces = async (db: Db, rows: ReminderRow[]) => {
  const cids = [...new Set(rows.map((row) => row.cid))];
  const userIds = [...new Set(rows.map((row) => row.user_id))];
  const [channels, members] = await Promise.all([
    listChannels(db, cids),
    listMembersAmong(db, cids, userIds),
  ]);
  return {
    channels: new Map<string, ChannelRow>(channels.map((row) => [row.cid, row])),
    members: new Map<string, MemberRow>(members.map((row) => [keyOf(row.cid, row.user_id), row])),
  };
};

/** Leaves out reminders whose owner may no longer read the message, and builds the records of the others. A page at a time, with
 * a handful of queries. */
const findReadable = async (
  { access, users, hydrate }: Deps,
  db: Db,
  rows: ReminderRow[],
): Promise<DueReminder[]> => {
  const found = await findMessages(db, [...new Set(rows.map((row) => row.message_id))]);
  const [{ channels, members }, owners, hydrated] = await Promise.all([
    findPlaces(db, rows),
    users.getMany(
      db,
      rows.map((row) => row.user_id),
    ),
    hydrate(db, found),
  ]);
  const messages = new Map(hydrated.map((message) => [message.id, message]));
  const due: DueReminder[] = [];
  for (const row of rows) {
    const user = owners.get(row.user_id);
    const channel = channels.get(row.cid);
    const message = messages.get(row.message_id);
    if (!user || !channel || !message) continue;
    if (user.row.deleted_at !== null || channel.deleted_at !== null) continue;
    const member = members.get(keyOf(row.cid, row.user_id));
    const place = await access.placeOf(db, { kind: 'user', user }, channel, member);
    if (!place.capabilities.has('read-channel') || isCleared(place, message)) continue;
    due.push({ row, reminder: toReminder(row, message) });
  }
  return due;
};

/** Notifies the owner of each reminder once when it falls due: the mark of it is written in the same transaction. */
export const createReminderJob = (deps: Deps): DueJob => {
  const { kernel } = deps;
  const run = (): Promise<boolean> =>
    kernel.write(async (tx) => {
      const rows = await claimDue(tx.db, tx.now, batch);
      if (rows.length === 0) return false;
      const due = await findReadable(deps, tx.db, rows);
      for (const { row, reminder } of due)
        tx.notifySurely([row.user_id], 'notification.reminder_due', { reminder }, row.cid);
      return rows.length === batch;
    });
  return createDueJob(kernel, { name: 'reminders', next: () => findNextDue(kernel.pools.background), run });
};
