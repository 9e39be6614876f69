import type { Message, Poll, QuotedMessage, Reaction, SharedLocation, User } from '@parley/protocol';
import type { UserEntry } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import { noContent } from '../../events/stubs.ts';

/** The records that messages refer to, looked up for a whole page at once. */
export type References = {
  users: ReadonlyMap<string, UserEntry>;
  quoted: ReadonlyMap<string, MessageRow>;
  latest: ReadonlyMap<string, Reaction[]>;
  /** Polls by the id of their message. */
  polls: ReadonlyMap<string, Poll>;
  /** Locations by the id of their message. */
  locations: ReadonlyMap<string, SharedLocation>;
  /** Pins that end before this time are over. */
  now: string;
};

const mapGroups = (row: MessageRow, pick: 'count' | 'sum_scores'): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const type in row.reaction_groups) counts[type] = row.reaction_groups[type]?.[pick] ?? 0;
  return counts;
};

const usersOf = (ids: string[], users: References['users']): User[] =>
  ids.flatMap((id) => users.get(id)?.user ?? []);

const pollOf = ({ id, poll_id }: MessageRow, { polls }: References) => {
  if (!poll_id) return {};
  const poll = polls.get(id);
  return { poll_id, ...(poll ? { poll } : {}) };
};

const locationOf = ({ id, has_location }: MessageRow, { locations }: References) => {
  const shared_location = has_location ? locations.get(id) : undefined;
  return shared_location ? { shared_location } : {};
};

/** The rest of a softly deleted message: its author and times, and no content. */
const contentOf = (row: MessageRow, refs: References) => {
  if (row.deleted_at !== null)
    return {
      ...noContent,
      deleted_at: row.deleted_at,
      ...(row.deleted_by_other ? { deleted_by_other: true } : {}),
    };
  return {
    text: row.text,
    type: row.type,
    attachments: row.attachments,
    mentioned_users: usersOf(row.mentioned, refs.users),
    ...row.marks,
    ...pollOf(row, refs),
    ...locationOf(row, refs),
    reaction_counts: mapGroups(row, 'count'),
    reaction_scores: mapGroups(row, 'sum_scores'),
    reaction_groups: row.reaction_groups,
    latest_reactions: refs.latest.get(row.id) ?? [],
  };
};

const pinOf = (row: MessageRow, { users, now }: References) => {
  if (row.pinned_at === null || (row.pin_expires !== null && row.pin_expires <= now))
    return { pinned: false };
  const pinner = row.pinned_by === null ? undefined : users.get(row.pinned_by)?.user;
  return {
    pinned: true,
    pinned_at: row.pinned_at,
    ...(pinner ? { pinned_by: pinner } : {}),
    ...(row.pin_expires === null ? {} : { pin_expires: row.pin_expires }),
  };
};

const withoutQuote = (row: MessageRow, refs: References): QuotedMessage => {
  const author = refs.users.get(row.user_id)?.user;
  return {
    ...(row.deleted_at === null ? row.data : {}),
    id: row.id,
    cid: row.cid,
    ...(author ? { user: author } : {}),
    ...contentOf(row, refs),
    ...(row.parent_id === null ? {} : { parent_id: row.parent_id, show_in_channel: row.show_in_channel }),
    ...(row.quoted_message_id === null ? {} : { quoted_message_id: row.quoted_message_id }),
    reply_count: row.reply_count,
    ...(row.reply_count > 0 ? { thread_participants: usersOf(row.participants, refs.users) } : {}),
    ...pinOf(row, refs),
    silent: row.silent,
    number: row.number,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.message_text_updated_at === null ? {} : { message_text_updated_at: row.message_text_updated_at }),
  };
};

/** The message as everyone sees it; in every event the same. */
export const toMessage = (row: MessageRow, refs: References): Message => {
  const quoted = row.quoted_message_id === null ? undefined : refs.quoted.get(row.quoted_message_id);
  const message = withoutQuote(row, refs);
  return quoted ? { ...message, quoted_message: withoutQuote(quoted, refs) } : message;
};
