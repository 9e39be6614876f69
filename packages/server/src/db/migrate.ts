import { sql } from 'kysely';
import type pg from 'pg';
import { StartError } from './await-database.ts';
import { firstConversation } from './migrations/001-first-conversation.ts';
import { messageHistory } from './migrations/002-message-history.ts';
import { channelPreferences } from './migrations/003-channel-preferences.ts';
import { tasks } from './migrations/004-tasks.ts';
import { search } from './migrations/005-search.ts';
import { threads } from './migrations/006-threads.ts';
import { drafts } from './migrations/007-drafts.ts';
import { commands } from './migrations/008-commands.ts';
import { polls } from './migrations/009-polls.ts';
import { reminders } from './migrations/010-reminders.ts';
import { searchWords } from './migrations/011-search-words.ts';
import { muteEnds } from './migrations/012-mute-ends.ts';
import { scheduledMessages } from './migrations/013-scheduled-messages.ts';
import { deletedByOther } from './migrations/014-deleted-by-other.ts';
import { files } from './migrations/015-files.ts';
import { locations } from './migrations/016-locations.ts';
import { channelRoles } from './migrations/017-channel-roles.ts';
import { directConversations } from './migrations/017b-direct-conversations.ts';
import { sendTimes } from './migrations/017c-send-times.ts';
import { logWithoutWords } from './migrations/018-log-without-words.ts';
import { goneMessageIds } from './migrations/019-gone-message-ids.ts';
import { appSettings } from './migrations/020-app-settings.ts';
import { repliesOfChannel } from './migrations/021-replies-of-channel.ts';
import { ownMarks } from './migrations/023-own-marks.ts';
import { emptiedSeq } from './migrations/031-emptied-seq.ts';
import { ownVersions } from './migrations/033-own-versions.ts';
import { attachedFiles, attachedFilesBefore, namedFiles } from './migrations/034-attached-files.ts';
import { searchQueue } from './migrations/035-search-queue.ts';
import { taskState } from './migrations/036-task-state.ts';
import { invitedBy, joinedMembers } from './migrations/037-joined-members.ts';
import { servers } from './migrations/045-servers.ts';
import { sharedLimits } from './migrations/047-shared-limits.ts';
import { logEnd, logEndChecked, logPartitions } from './migrations/048-log-partitions.ts';
import { primaryRun } from './migrations/055-primary-run.ts';
import { threadVersions } from './migrations/056-thread-versions.ts';
import { locationsPublishedAt, pollsPublishedAt } from './migrations/057-published-at.ts';
import type { Db } from './schema.ts';

/** The migrations run in order, each once; a landed one is never edited. */
const migrations = [
  firstConversation,
  messageHistory,
  channelPreferences,
  tasks,
  search,
  threads,
  drafts,
  commands,
  polls,
  reminders,
  searchWords,
  muteEnds,
  scheduledMessages,
  deletedByOther,
  files,
  locations,
  channelRoles,
  directConversations,
  sendTimes,
  logWithoutWords,
  ownMarks,
  appSettings,
  repliesOfChannel,
  goneMessageIds,
  ownVersions,
  emptiedSeq,
  attachedFiles,
  attachedFilesBefore,
  namedFiles,
  searchQueue,
  taskState,
  invitedBy,
  joinedMembers,
  servers,
  sharedLimits,
  logEnd,
  logEndChecked,
  logPartitions,
  primaryRun,
  threadVersions,
  pollsPublishedAt,
  locationsPublishedAt,
];

const lockId = 7_236_841;
/** PostgreSQL has others for what it remarks itself, such as that a table is there already. */
const warningCode = '01000';

/** The migrations that the database lacks: a backup from before them took its place while this server ran. */
export const missingMigrations = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
};

/** Brings the schema up to date. Of several processes that start together one migrates and the others wait. `warn` gets a line when a
 * migration waits for somebody. */
export const migrate = async (
  pool: pg.Pool,
  warn: (line: string) => void = () => undefined,
): Promise<string[]> => {
  const client = await pool.connect();
  const applied: string[] = [];
  const onNotice = ({ code, message }: { code: string | undefined; message: string | undefined }): void => {
    if (code === warningCode) warn(message ?? '');
  };
  client.on('notice', onNotice);
  try {
    // An index over millions of rows takes as long as it takes, and so does the wait for another process that makes it.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const known = new Set(rows.map((row) => row.name));
    const newer = [...known].filter((name) => !migrations.some((migration) => migration.name === name));
    if (newer.length > 0)
      throw new StartError(
        `The database is from a newer version of Parley (it has ${newer.join(', ')}): start that version, or restore a backup from before it.`,
      );
    for (const migration of migrations) {
      if (known.has(migration.name)) continue;
      await client.query('begin');
      await client.query(migration.sql);
      await client.query('insert into migrations (name) values ($1)', [migration.name]);
      await client.query('commit');
      applied.push(migration.name);
    }
    return applied;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockId]);
    await client.query('reset statement_timeout; reset lock_timeout');
    client.off('notice', onNotice);
    client.release();
  }
};
