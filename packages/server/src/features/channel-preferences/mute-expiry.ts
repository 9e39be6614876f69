import { lockChannel } from '../../access/place.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { runEach } from '../../work/run-each.ts';
import { lockMember, updateMember } from '../members/store.ts';
import { findNextMuteExpiry, listExpiredMutes, type MuteKey } from './store.ts';

const mostAtOnce = 100;

/** Removes a mute whose time is over; false where it was ended or renewed meanwhile. */
const expireMute = async (tx: Tx, { cid, user_id }: MuteKey): Promise<boolean> => {
  await lockChannel(tx.db, cid);
  const member = await lockMember(tx.db, cid, user_id);
  if (!member || member.muted_until === null || member.muted_until > tx.now) return false;
  await updateMember(tx.db, member, { muted_at: null, muted_until: null });
  tx.stale({ what: 'member', key: cid, userId: user_id });
  return true;
};

/** Removes mutes when they expire and publishes the rest to their owners. */
export const createMuteExpiry = (kernel: Kernel, publishMutes: (userId: string) => void): DueJob =>
  createDueJob(kernel, {
    name: 'mute-expiry',
    next: () => findNextMuteExpiry(kernel.pools.background),
    run: async () => {
      const due = await listExpiredMutes(kernel.pools.background, kernel.now(), mostAtOnce);
      const count = await runEach(kernel, due, async (tx, one) => {
        if (await expireMute(tx, one)) tx.later(() => publishMutes(one.user_id));
      });
      return count > 0 && due.length === mostAtOnce;
    },
  });
