import type { IncomingMessage } from 'node:http';
import type { Message } from '@parley/protocol';
import { type DoubleState, windowOf } from './double-state.ts';
import { anOwnUser, aRead, at, aUser } from './records.ts';

export type DoubleRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: each route of the double reads the body of its own call, and those have no type in common
  body: any;
  user: string;
  headers: IncomingMessage['headers'];
};
export type Route = [RegExp, (request: DoubleRequest, match: string[]) => unknown];

const wantedCids = (filter: DoubleRequest['body']): string[] | undefined =>
  filter?.cid?.$in ?? (filter?.$and ? [filter.$and[1].cid] : undefined);

export const channelRoutes = (state: DoubleState): Route[] => [
  [
    /^POST \/channels$/,
    ({ body, user }) => {
      const wanted = wantedCids(body.filter);
      const found = [...state.channels.values()].filter(
        ({ channel }) => !wanted || wanted.includes(channel.cid),
      );
      const show = (channel: (typeof found)[number]) =>
        body.state === false
          ? {
              ...channel,
              messages: [],
              members: [],
              read: channel.read.filter((read) => read.user.id === user),
            }
          : windowOf(channel, { limit: body.message_limit });
      const from = Number(body.next ?? 0);
      const end = from + (body.limit ?? 10);
      const next = end < found.length ? { next: String(end) } : {};
      return { channels: found.slice(from, end).map(show), ...next };
    },
  ],
  [/^POST \/channels\/read$/, ({ body }) => ({ cids: body.cids ?? [...state.channels.keys()] })],
  [/^POST \/channels\/delivered$/, () => ({})],
  [
    /^POST \/channels\/([^/]+)\/query$/,
    ({ body }, [type]) => {
      const cid = `${type}:${[...body.data.members].sort().join('-')}`;
      if (!state.channels.has(cid)) state.addChannel(cid);
      return state.find(cid);
    },
  ],
  [
    /^POST \/channels\/([^/]+)\/([^/]+)\/query$/,
    ({ body }, [type, id]) => {
      const cid = `${type}:${id}`;
      if (!state.channels.has(cid)) state.addChannel(cid);
      return windowOf(state.find(cid), body.messages);
    },
  ],
  [/^POST \/channels\/([^/]+)\/([^/]+)\/(event|stop-watching)$/, () => ({})],
  [
    /^POST \/sync$/,
    ({ body }) => {
      const cursors = Object.entries(body.cursors as Record<string, { seq: number }>);
      return {
        events: cursors.flatMap(([cid, { seq }]) => state.since(cid, seq)),
        resync: cursors.flatMap(([cid]) => (state.hasLog(cid) ? [] : [cid])),
      };
    },
  ],
];

/** An edit of what a message says; a new text is marked. */
const edit = (state: DoubleState, { body }: DoubleRequest, id: string) => {
  const channel = [...state.channels.values()].find(({ messages }) =>
    messages.some((known) => known.id === id),
  );
  const message = channel?.messages.find((known) => known.id === id);
  if (!channel || !message) throw new Error(`no message ${id}`);
  const next: Message = {
    ...message,
    text: body.message.text,
    attachments: body.message.attachments ?? [],
    message_text_updated_at: at(channel.seq + 1),
  };
  channel.messages[channel.messages.indexOf(message)] = next;
  state.publish(channel.channel.cid, { type: 'message.updated', message: next });
  return { message: next };
};

/** A reaction of the user, counted into the message; the broadcast leaves out what is personal. */
const react = (state: DoubleState, { method, body, user, path }: DoubleRequest, id: string) => {
  const channel = [...state.channels.values()].find(({ messages }) =>
    messages.some((known) => known.id === id),
  );
  const message = channel?.messages.find((known) => known.id === id);
  if (!channel || !message) throw new Error(`no message ${id}`);
  const type = method === 'DELETE' ? decodeURIComponent(path.split('/').at(-1) ?? '') : body.reaction.type;
  const time = at(channel.seq + 1);
  const reaction = { message_id: id, user_id: user, type, score: 1, created_at: time, updated_at: time };
  const isNew = method === 'POST';
  const counts = isNew ? { [type]: 1 } : {};
  const group = { count: 1, sum_scores: 1, first_reaction_at: time, last_reaction_at: time };
  const next: Message = {
    ...message,
    reaction_counts: counts,
    reaction_groups: isNew ? { [type]: group } : {},
  };
  channel.messages[channel.messages.indexOf(message)] = next;
  state.publish(channel.channel.cid, {
    type: isNew ? 'reaction.new' : 'reaction.deleted',
    reaction,
    message: next,
  });
  return { reaction, message: { ...next, own_reactions: isNew ? [reaction] : [] } };
};

export const messageRoutes = (state: DoubleState): Route[] => [
  [
    /^POST \/channels\/([^/]+)\/([^/]+)\/message$/,
    ({ body, user }, [type, id]) => {
      const cid = `${type}:${id}`;
      const known = state.find(cid).messages.find((message) => message.id === body.message.id);
      return {
        message: known ?? state.post(cid, { ...body.message, mentioned_users: [], user: aUser(user) }),
      };
    },
  ],
  [
    /^POST \/channels\/([^/]+)\/([^/]+)\/read$/,
    ({ user }, [type, id]) => {
      const cid = `${type}:${id}`;
      const { last_number, seq } = state.find(cid);
      const read = { ...aRead(user, last_number), last_read: at(seq + 1) };
      const { last_read, last_read_number } = read;
      state.publish(cid, { type: 'message.read', user: read.user, last_read, last_read_number });
      return { read };
    },
  ],
  [/^PUT \/messages\/([^/]+)$/, (request, [id = '']) => edit(state, request, id)],
  [/^POST \/messages\/([^/]+)\/reaction$/, (request, [id = '']) => react(state, request, id)],
  [/^DELETE \/messages\/([^/]+)\/reaction\/[^/]+$/, (request, [id = '']) => react(state, request, id)],
  [
    /^GET \/users\/live_locations$/,
    () => ({ active_live_locations: state.locations, now: '2026-01-01T00:00:00.000Z' }),
  ],
  [
    /^PUT \/users\/live_locations$/,
    ({ body }) => ({ shared_location: { ...state.locations[0], ...body, updated_at: at(1) } }),
  ],
  [/^GET \/messages\/([^/]+)\/replies$/, () => ({ messages: [] })],
];

type Poll = { events: object[]; wake(): void };

export const connectionRoutes = (state: DoubleState, nextId: () => string): Route[] => {
  const polls = new Map<string, Poll>();
  state.listeners.add((event) => {
    for (const poll of polls.values()) {
      poll.events.push(event);
      poll.wake();
    }
  });
  return [
    [
      /^POST \/guest$/,
      ({ body }) => ({ user: aUser(`guest-${body.user.id}`), access_token: `guest-${body.user.id}` }),
    ],
    [
      /^POST \/longpoll$/,
      ({ body, user }) => {
        const known = polls.get(body.connection_id);
        if (!known) {
          const connection_id = nextId();
          polls.set(connection_id, { events: [], wake: () => {} });
          return { connection_id, me: anOwnUser(user), events: [] };
        }
        return new Promise((resolve) => {
          known.wake = () => resolve({ events: known.events.slice(body.ack), last: known.events.length });
          if (known.events.length > body.ack) known.wake();
        });
      },
    ],
    [
      /^DELETE \/longpoll$/,
      ({ query }) => {
        const id = query.get('connection_id') ?? '';
        polls.get(id)?.wake();
        polls.delete(id);
        return {};
      },
    ],
  ];
};
