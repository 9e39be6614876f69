import type { Channel } from '@parley/protocol';
import type { ChannelRow, MemberRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { loggedFields, withLoggedFields } from '../events/logged-fields.ts';
import { locationStub } from '../events/stubs.ts';
import { listChannels } from '../features/channels/store.ts';
import { toMember } from '../features/members/record.ts';
import { findMembers } from '../features/members/store.ts';
import type { Hydrate } from '../features/messages/hydrate.ts';
import { toThreadInfo } from '../features/threads/record.ts';
import { findThreads } from '../features/threads/store.ts';
import type { UserCache } from '../features/users/cache.ts';
import type { Kernel } from '../kernel/kernel.ts';
import {
  type Cleared,
  findShownOf,
  type LoggedEvent,
  type LoggedOfMessage,
  type LoggedRecord,
  reactionKey,
  type Shown,
  userOf,
} from './log-references.ts';
import { messageStub, pollStub } from './log-stubs.ts';

type Deps = {
  kernel: Kernel;
  hydrate: Hydrate;
  users: UserCache;
  publicChannel(row: ChannelRow): Promise<Channel>;
};

/** Rows of before the log was stored without text, or of an older server that runs beside this one, hold more than `loggedFields`. */
const parse = (payload: string): LoggedEvent => loggedFields(JSON.parse(payload)) as LoggedEvent;

const liveOf = ({ messages }: Shown, id: string | undefined) => {
  const found = id === undefined ? undefined : messages.get(id);
  return found?.row.deleted_at === null ? found.message : undefined;
};

const locationOf = (shown: Shown, logged: LoggedOfMessage): unknown =>
  liveOf(shown, logged.message_id)?.shared_location ?? locationStub(logged);

/** Fills in what the messages, polls, reactions and locations of events say now. */
const withShown = (event: LoggedEvent, shown: Shown): LoggedRecord => {
  const { reaction, poll, vote, shared_location, shared_locations, user } = event;
  const answer = vote && shown.answers.get(vote.id);
  return {
    ...event,
    ...(reaction && {
      reaction: shown.reactions.get(reactionKey(reaction)) ?? {
        ...reaction,
        ...userOf(shown, reaction.user_id),
      },
    }),
    ...(poll && { poll: liveOf(shown, poll.message_id)?.poll ?? pollStub(poll) }),
    ...(vote && {
      vote: { ...vote, ...userOf(shown, vote.user_id), ...(answer !== undefined && { answer_text: answer }) },
    }),
    ...(shared_location && { shared_location: locationOf(shown, shared_location) }),
    ...(shared_locations && { shared_locations: shared_locations.map((one) => locationOf(shown, one)) }),
    ...(user && { user: shown.users.get(user.id)?.user ?? user }),
  };
};

/** The messages of events: as they stand, or as deleted ones where they are gone or the event says so. */
const messagesOf = async (
  { kernel, hydrate }: Deps,
  events: readonly LoggedEvent[],
  shown: Shown,
): Promise<Map<LoggedEvent, unknown>> => {
  const found = new Map<LoggedEvent, unknown>();
  const gone: { event: LoggedEvent; row: ReturnType<typeof messageStub> }[] = [];
  for (const event of events) {
    const { message: logged } = event;
    if (!logged) continue;
    const now = shown.messages.get(logged.id);
    if (now && (event.type !== 'message.deleted' || now.row.deleted_at !== null))
      found.set(event, now.message);
    else gone.push({ event, row: messageStub(event, logged) });
  }
  const made = await hydrate(
    kernel.db,
    gone.map(({ row }) => row),
  );
  for (const [index, { event }] of gone.entries()) found.set(event, made[index]);
  return found;
};

const membersOf = async (db: Db, events: readonly LoggedEvent[]): Promise<Map<string, MemberRow>> => {
  const keys = events.flatMap(({ cid, member }) => (member ? [{ cid, userId: member.user_id }] : []));
  return new Map((await findMembers(db, keys)).map((row) => [`${row.cid} ${row.user_id}`, row]));
};

const findByKey = async (
  { kernel: { db }, publicChannel }: Deps,
  events: readonly LoggedEvent[],
): Promise<{ channels: Map<string, Channel>; threads: Map<string, LoggedRecord> }> => {
  const cids = [...new Set(events.flatMap(({ cid, channel }) => (channel ? [cid] : [])))];
  const parents = [...new Set(events.flatMap(({ thread }) => thread?.parent_message_id ?? []))];
  const channels = new Map<string, Channel>();
  for (const row of await listChannels(db, cids)) channels.set(row.cid, await publicChannel(row));
  const rows = await findThreads(db, parents);
  return { channels, threads: new Map(rows.map((row) => [row.parent_id, toThreadInfo(row)])) };
};

export type LogReader = ReturnType<typeof createLogReader>;

/** Reads events of the log: as JSON, with what people wrote as it stands now, so that nothing comes back that was edited or deleted. */
export const createLogReader = (deps: Deps) => {
  const { db } = deps.kernel;
  return async (payloads: readonly string[], cleared: Cleared = new Map()): Promise<string[]> => {
    if (payloads.length === 0) return [];
    const events = payloads.map(parse);
    const shown = await findShownOf({ db, hydrate: deps.hydrate, users: deps.users }, events, cleared);
    const messages = await messagesOf(deps, events, shown);
    const members = await membersOf(db, events);
    const { channels, threads } = await findByKey(deps, events);
    return events.map((event) => {
      const { cid, message, channel, member, thread } = event;
      const row = member && members.get(`${cid} ${member.user_id}`);
      const parent =
        thread && liveOf(shown, thread.parent_message_id) && threads.get(thread.parent_message_id);
      return JSON.stringify({
        ...withShown(event, shown),
        ...(message && { message: messages.get(event) }),
        ...(channel && { channel: withLoggedFields('channel', channels.get(cid) ?? {}, channel) }),
        ...(member && {
          member: row
            ? toMember(row, shown.users.get(row.user_id)?.user)
            : { ...member, ...userOf(shown, member.user_id) },
        }),
        ...(thread && { thread: parent ?? thread }),
      });
    });
  };
};
