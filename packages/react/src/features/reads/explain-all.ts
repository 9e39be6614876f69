import { type ParleyClient, selectChannelTitle } from '@parley/client';
import { type FullUnreadExplanation, receipts } from '@parley/client/reads';

export type ExplainedChannel = FullUnreadExplanation & { cid: string; name: string; isMuted: boolean };
export type ExplainedThread = { cid: string; id: string; name: string; unread: number; text: string };

const mostShown = 20;

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
      cids.map(async (cid) => ({
        ...(await explainUnread(cid)),
        cid,
        name: titles.get(cid) ?? cid,
        isMuted: mutes.has(cid),
      })),
    ),
    Promise.all(
      open.map(async ({ cid, parent_message_id: id, unread_count }) => {
        const { message } = await client.http.call('GET /messages/{id}', { path: { id } });
        return { cid, id, name: titles.get(cid) ?? cid, unread: unread_count, text: message.text };
      }),
    ),
  ]);
  return { channels, threads };
};
