/** The world of the `ingest` measurement: what a server would say, made beforehand. */

export const channels = 50;
const start = Date.UTC(2026, 0, 1);

export const timeOf = (n: number): string => new Date(start + n).toISOString();
export const userOf = (n: number) => ({
  id: `user-${n}`,
  name: `Person Number ${n}`,
  image: `https://example.com/pictures/${n}.png`,
  role: 'user',
  created_at: timeOf(0),
  updated_at: timeOf(0),
  online: true,
});
const cidOf = (n: number): string => `messaging:room-${n}`;

/** Everyone shares their channels with others elsewhere: no two channels have the same members. */
const memberOf = (room: number, place: number) => userOf(place === 0 ? 0 : 1 + room * 3 + place);

/** Messages of a channel before the first frame. */
const earlier = 100;

/** The reply to a query of a channel: with its last page, or of one that nobody has written in. */
export const stateOf = (n: number, members: number, hasHistory: boolean) => {
  const people = Array.from({ length: members }, (_, place) => memberOf(n, place));
  const times = { created_at: timeOf(0), updated_at: timeOf(0) };
  const channel = {
    id: `room-${n}`,
    type: 'messaging',
    cid: cidOf(n),
    ...times,
    member_count: members,
    frozen: false,
    cooldown: 0,
    disabled: false,
    own_capabilities: ['send-message', 'send-reply'],
    config: { delivery_events: false },
  };
  return {
    channel,
    members: people.map((user) => ({ user_id: user.id, user, channel_role: 'channel_member', ...times })),
    messages: hasHistory
      ? Array.from({ length: earlier }, (_, index) =>
          messageOf(n, members, { id: `room-${n}-message-${index}`, number: index + 1, at: index - earlier }),
        )
      : [],
    read: people.map((user) => ({ user, last_read_number: 0, unread_messages: 0 })),
    watcher_count: 1,
    pinned_messages: [],
    seq: 0,
    last_number: earlier,
  };
};

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(5).slice(0, 200);

/** A message with every field that the server writes into one, in its order; authors take turns. */
const messageOf = (
  room: number,
  members: number,
  { id, number, at }: { id: string; number: number; at: number },
) => {
  const created_at = timeOf(at);
  return {
    id,
    cid: cidOf(room),
    user: memberOf(room, 1 + ((number * 7) % (members - 1))),
    text: `${number} ${text}`,
    type: 'regular',
    attachments: [],
    mentioned_users: [],
    reaction_counts: {},
    reaction_scores: {},
    reaction_groups: {},
    latest_reactions: [],
    reply_count: 0,
    pinned: false,
    silent: false,
    number,
    created_at,
    updated_at: created_at,
  };
};

/** A `message.new`; channels take turns. */
const frameOf = (n: number, members: number): string => {
  const seq = Math.floor(n / channels) + 1;
  const message = messageOf(n % channels, members, {
    id: `message-${n.toString().padStart(29, '0')}`,
    number: earlier + seq,
    at: n + 1,
  });
  const { cid, created_at } = message;
  return JSON.stringify({ type: 'message.new', seq, cid, created_at, message });
};

export type Frames = { count: number; read(index: number): string };

/** Kept outside the heap and read anew each time, as a socket would: the text of a frame is young and soon garbage. */
export const framesOf = (members: number, from: number, count: number): Frames => {
  const ends = new Uint32Array(count);
  const parts: Buffer[] = [];
  let size = 0;
  for (let index = 0; index < count; index += 1) {
    const part = Buffer.from(frameOf(from + index, members), 'latin1');
    parts.push(part);
    size += part.length;
    ends[index] = size;
  }
  const bytes = Buffer.concat(parts);
  return { count, read: (index) => bytes.toString('latin1', ends[index - 1] ?? 0, ends[index]) };
};
