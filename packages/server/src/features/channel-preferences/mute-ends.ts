import { lockChannel } from '../../access/place.ts';
import { endEach } from '../../jobs/end-each.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { lockMember, updateMember } from '../members/store.ts';
import type { ChannelPreferences } from './service.ts';

const everyMs = 1000;
const mostAtOnce = 100;

type Due = { cid: string; user_id: string };

const findDue = (kernel: Kernel): Promise<Due[]> =>
  kernel.db
    .selectFrom('members')
    .innerJoin('channels', 'channels.cid', 'members.cid')
    .select(['members.cid', 'members.user_id'])
    .where('members.muted_until', '<=', kernel.now())
    .where('channels.deleted_at', 'is', null)
    .orderBy('members.muted_until')
    .limit(mostAtOnce)
    .execute();

/** Forgets a mute whose time is over; false where it was ended or renewed meanwhile. */
const endMute = async (tx: Tx, { cid, user_id }: Due): Promise<boolean> => {
  await lockChannel(tx.db, cid);
  const member = await lockMember(tx.db, cid, user_id);
  if (!member || member.muted_until === null || member.muted_until > tx.now) return false;
  await updateMember(tx.db, member, { muted_at: null, muted_until: null });
  tx.stale({ what: 'member', key: cid, userId: user_id });
  return true;
};

const endMutes = async (kernel: Kernel, preferences: ChannelPreferences): Promise<void> => {
  const unmuted = new Set<string>();
  try {
    await endEach(kernel, await findDue(kernel), async (tx, due) => {
      if (await endMute(tx, due)) tx.later(() => unmuted.add(due.user_id));
    });
  } finally {
    // Also those of a round that failed later: their mutes are no longer due.
    for (const userId of unmuted) await preferences.tellMutes(userId);
  }
};

/** Looks every second for mutes that are over and tells whose they were; returns its stop. */
export const startMuteEnds = (kernel: Kernel, preferences: ChannelPreferences): (() => Promise<void>) => {
  let running = Promise.resolve();
  let stopped = false;
  const run = () => {
    running = endMutes(kernel, preferences)
      .catch((error: unknown) => kernel.log.error({ err: error }, 'ending mutes failed'))
      .then(() => {
        if (!stopped) timer = kernel.clock.setTimeout(run, everyMs);
      });
  };
  let timer = kernel.clock.setTimeout(run, everyMs);
  return () => {
    stopped = true;
    timer.stop();
    return running;
  };
};
