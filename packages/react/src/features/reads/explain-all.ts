import { type Message, type ParleyClient, selectChannelTitle } from '@parley/client';
import { type FullUnreadExplanation, receipts } from '@parley/client/reads';

export type ExplainedChannel = FullUnreadExplanation & {
  cid: string;
  name: string;
  isMuted: boolean;
  /** The messages without a text, by id: they are summarised by what they carry. */
  carriers: ReadonlyMap<string, Message>;
};
export type ExplainedThread = { cid: string; id: string; name: string; unread: number; parent: Message };

const mostShown = 20;

/** Loads the unread messages that have no text, all with one call. Without them the summary stands as it is. */
const loadCarriers = async (
  client: ParleyClient,
  cid: string,
  { messages }: FullUnreadExplanation,
): Promise<Map<string, Message>> => {
  const ids = messages.filter(({ text, reason }) => text === '' && reason === 'unread').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const reply = await client.http
    .call('GET /channels/{type}/{id}/messages', { cid, query: { ids: ids.join(',') } })
    .catch(() => ({ messages: [] }));
  return new Map(reply.messages.map((message) => [message.id, message]));
};

/** The titles of channels, also of those that are not loaded. */
const titlesOf = async (client: ParleyClient, cids: string[]): Promise<Map<string, string>> => {
  const titles = new Map<string, string>();
  for (const cid of cids) {
    const state = client.channels.state(cid).get();
    if (state) titles.set(cid, selectChannelTitle(state));
  }
  const missing = cids.filter((cid) => !titles.has(cid));
  if (missing.length === 0) return titles;
  const body = { filter: { cid: { $in: missing } }, limit: missing.length, state: true };
  const { channels } = await client.http.call('POST /channels', {
    body: { ...body, message_limit: 1, member_limit: 4 },
  });
  const ownId = client.me.get()?.id ?? '';
  for (const state of channels) titles.set(state.channel.cid, selectChannelTitle({ ...state, ownId }));
  return titles;
};

/** Every channel and thread with something unread, and its unread messages. */
export const explainAll = async (
  client: ParleyClient,
): Promise<{ channels: ExplainedChannel[]; threads: ExplainedThread[] }> => {
  const unread = await client.reads.unread();
  const cids = unread.channels.slice(0, mostShown).map(({ channel_id }) => channel_id);
  const open = unread.threads.slice(0, mostShown);
  const titles = await titlesOf(client, [...new Set([...cids, ...open.map(({ cid }) => cid)])]);
  const mutes = new Set(client.me.get()?.channel_mutes.map(({ channel_cid }) => channel_cid));
  const { explainUnread } = client.feature(receipts);
  const [channels, threads] = await Promise.all([
    Promise.all(
      cids.map(async (cid) => {
        const explained = await explainUnread(cid);
        const carriers = await loadCarriers(client, cid, explained);
        return { ...explained, cid, name: titles.get(cid) ?? cid, isMuted: mutes.has(cid), carriers };
      }),
    ),
    Promise.all(
      open.map(async ({ cid, parent_message_id: id, unread_count }) => {
        const { message: parent } = await client.http.call('GET /messages/{id}', { path: { id } });
        return { cid, id, name: titles.get(cid) ?? cid, unread: unread_count, parent };
      }),
    ),
  ]);
  return { channels, threads };
};
