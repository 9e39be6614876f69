import type { ChannelMute } from '@parley/protocol';
import type { Core } from '../../core.ts';

/** Timers take no more than this. */
const longest = 2_000_000_000;

const endOf = ({ expires }: ChannelMute): number => (expires === undefined ? Infinity : Date.parse(expires));

/** Loaded with the first mute that ends by itself. */
export const createMutes = (core: Core) => {
  let timer: unknown;
  /** Drops each mute at its time, whether or not the server can say so then. */
  const expire = async (): Promise<void> => {
    const { clock } = core.environment;
    clock.clearTimeout(timer);
    const me = core.me.get();
    const mutes = me?.channel_mutes ?? [];
    const channel_mutes = mutes.filter((mute) => endOf(mute) > clock.now());
    const next = Math.min(...channel_mutes.map(endOf));
    if (next < Infinity) timer = clock.setTimeout(() => void expire(), Math.min(longest, next - clock.now()));
    if (!me || channel_mutes.length === mutes.length) return;
    core.me.set({ ...me, channel_mutes });
    const { unread_count: total_unread_count, unread_channels } = me;
    const type = 'notification.channel_mutes_updated';
    core.confirm({ type, channel_mutes, total_unread_count, unread_channels });
  };
  return { expire };
};
