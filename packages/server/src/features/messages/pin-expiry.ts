import { lockChannel } from '../../access/place.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { createDueJob, type DueJob } from '../../work/due-job.ts';
import { runEach } from '../../work/run-each.ts';
import { isPinnedAt, unpinned } from './pins.ts';
import type { Messages } from './service.ts';
import { findNextPinExpiry, listExpiredPins, lockMessage, type PinKey, updateMessage } from './store.ts';

const mostAtOnce = 100;

/** Removes a pin whose time is over and publishes that; reads treat it as removed already. */
const expirePin = async (messages: Messages, tx: Tx, { id, cid }: PinKey): Promise<void> => {
  await lockChannel(tx.db, cid);
  const row = await lockMessage(tx.db, id);
  if (!row || row.pinned_at === null || isPinnedAt(row, tx.now)) return;
  const updated = await updateMessage(tx.db, id, { ...unpinned, updated_at: tx.now });
  await messages.publishEvent(tx, { type: 'message.updated', row: updated, fields: { unpinned: true } });
};

/** Removes pins when they expire. */
export const createPinExpiry = (kernel: Kernel, messages: Messages): DueJob =>
  createDueJob(kernel, {
    name: 'pin-expiry',
    next: () => findNextPinExpiry(kernel.pools.background),
    run: async () => {
      const due = await listExpiredPins(kernel.pools.background, kernel.now(), mostAtOnce);
      const count = await runEach(kernel, due, (tx, pin) => expirePin(messages, tx, pin));
      return count > 0 && due.length === mostAtOnce;
    },
  });
