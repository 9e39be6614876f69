/** The rights and marks of the own user in a channel. Events do not carry them: they are asked for where one changes them. */
import type { ChannelStateReply } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { after } from '../../environment.ts';
import type { Unsubscribe } from '../../readable.ts';
import { askQuietly } from '../../retry.ts';
import { isOlderOwn } from './reducer.ts';

/** Takes capabilities and read state from a reply. */
export const takeOwn = (core: Core, reply: ChannelStateReply): void => {
  const { channel: said, membership: member } = reply;
  const { cid, config, own_capabilities } = said;
  const state = core.store.confirmed(cid);
  if (!state) return;
  for (const listener of core.afterState) listener(reply);
  // The reply may be older than what the own user did on another device meanwhile, and than a message that shows the channel again.
  const isShown = said.hidden && reply.last_number < state.lastNumber;
  const hidden = isOlderOwn(state, member ?? {}) ? undefined : said.hidden && !isShown;
  const muted = member && core.me.get()?.channel_mutes.some((mute) => mute.channel_cid === cid);
  const personal = Object.entries({ config, own_capabilities, hidden, muted }).filter(
    ([, is]) => is !== undefined,
  );
  const channel = { ...state.channel, ...Object.fromEntries(personal) };
  core.confirm({ type: 'channel.updated', cid, channel });
  if (member) core.confirm({ type: 'member.updated', cid, member, member_count: channel.member_count });
  const read = reply.read.find(({ user }) => user.id === state.ownId);
  if (read) core.confirm({ type: 'notification.mark_unread', cid, read });
};

const maxTries = 3;

/** The reply is older than an event that changed what the own user may do. */
const isOutdated = ({ store }: Core, { channel, seq }: ChannelStateReply): boolean => {
  const slot = store.find(channel.cid);
  const known = slot?.confirmed?.channel;
  if (!slot || !known || seq >= slot.seq) return false;
  return channel.frozen !== known.frozen || channel.disabled !== known.disabled;
};

export const askOwn = async (core: Core, cid: string): Promise<void> => {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const body = { state: false, watch: false };
    const reply = await core.http.call('POST /channels/{type}/{id}/query', { cid, body });
    if (tries < maxTries && isOutdated(core, reply)) continue;
    return takeOwn(core, reply);
  }
};

/** All watchers get the event of a freeze at once: the larger the channel, the more their calls are spread. */
const spread = (members: number): number => Math.min(3000, members * 3);

/** Asks anew when an event changed what the own user may do; returns its stop. */
export const followOwnPart = (core: Core): Unsubscribe => {
  const { clock, random } = core.environment;
  const waiting = new Map<string, () => void>();
  const ask = async (cid: string) => {
    waiting.delete(cid);
    await askQuietly(core, 'Own rights', async () => {
      if (core.store.confirmed(cid)) await askOwn(core, cid);
    });
  };
  const plan = (cid: string, ms: number) => {
    if (waiting.has(cid)) return;
    waiting.set(
      cid,
      after(clock, ms, () => void ask(cid)),
    );
  };
  const onMember = ({ cid, member }: { cid?: string; member: { user_id: string } }) => {
    if (cid !== undefined && core.store.confirmed(cid)?.ownId === member.user_id) plan(cid, 0);
  };
  const stop = core.events.listen({
    'channel.updated': ({ cid = '' }) => {
      const channel = core.store.confirmed(cid)?.channel;
      if (channel && !channel.own_capabilities) plan(cid, random() * spread(channel.member_count));
    },
    'member.added': onMember,
    'member.updated': onMember,
  });
  return () => {
    stop();
    for (const stop of waiting.values()) stop();
    waiting.clear();
  };
};
