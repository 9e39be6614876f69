import type {
  ChannelStateReply,
  Message,
  MessageWindow,
  ServerEvent,
  SharedLocation,
} from '@parley/protocol';
import { aMessage, aSnapshot, at } from './records.ts';

/** The state of the double: channels, their logs and their listeners. */
export const createDoubleState = () => {
  const channels = new Map<string, ChannelStateReply>();
  const logs = new Map<string, ServerEvent[]>();
  const listeners = new Set<(event: object) => void>();
  const find = (cid: string): ChannelStateReply => {
    const state = channels.get(cid);
    if (!state) throw new Error(`no channel ${cid}`);
    return state;
  };
  const broadcast = (event: object) => {
    for (const listener of listeners) listener(event);
  };
  const state = {
    channels,
    /** The live locations of the user. */
    locations: [] as SharedLocation[],
    listeners,
    find,
    broadcast,
    /** Events that are logged and reach nobody: what happens when frames are lost. */
    isMuted: false,
    since: (cid: string, seq: number) => (logs.get(cid) ?? []).filter((event) => (event.seq ?? 0) > seq),
    forgetLog: (cid: string) => logs.delete(cid),
    hasLog: (cid: string) => logs.has(cid),
    addChannel: (cid: string) => {
      channels.set(cid, aSnapshot(cid));
      logs.set(cid, []);
    },
    publish: (cid: string, event: object) => {
      const channel = find(cid);
      channel.seq += 1;
      const full = { created_at: at(channel.seq), cid, seq: channel.seq, ...event } as ServerEvent;
      logs.get(cid)?.push(full);
      if (!state.isMuted) broadcast(full);
    },
    post: (cid: string, said: Partial<Message> = {}): Message => {
      const channel = find(cid);
      channel.last_number += 1;
      const time = at(channel.seq + 1);
      const message = aMessage(said.id ?? `m${channel.seq + 1}`, {
        cid,
        number: channel.last_number,
        created_at: time,
        updated_at: time,
        ...said,
      });
      if (message.parent_id === undefined) channel.messages.push(message);
      channel.channel.last_message_at = time;
      state.publish(cid, { type: 'message.new', message });
      return message;
    },
  };
  return state;
};
export type DoubleState = ReturnType<typeof createDoubleState>;

export const windowOf = (state: ChannelStateReply, ask: MessageWindow = {}): ChannelStateReply => {
  const { limit = 10, id_lt, id_gt, id_around } = ask;
  const { messages } = state;
  const index = messages.findIndex(({ id }) => id === (id_lt ?? id_gt ?? id_around));
  const from = Math.max(0, index - Math.floor(limit / 2));
  if (id_lt) return { ...state, messages: messages.slice(Math.max(0, index - limit), index) };
  if (id_gt) return { ...state, messages: messages.slice(index + 1, index + 1 + limit) };
  if (id_around) return { ...state, messages: messages.slice(from, from + limit) };
  return { ...state, messages: messages.slice(-limit) };
};
