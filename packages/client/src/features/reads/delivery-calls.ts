/** The report of `delivery.ts`, loaded when the first one is due. */
import type { Core } from '../../core.ts';
import type { LateTools } from '../../late-tools.ts';

export const createDeliveryCalls = (core: Core, { deliveredPerCall, isPassing }: LateTools) => ({
  /** Reports the last message of each channel that arrived; what the network lost waits for the next report. */
  report: async (arrived: Map<string, string>, plan: () => void, again: () => void): Promise<void> => {
    const due = [...arrived].slice(0, deliveredPerCall).map(([cid, id]) => ({ cid, id }));
    for (const { cid } of due) arrived.delete(cid);
    if (due.length === 0) return;
    if (arrived.size > 0) plan();
    try {
      await core.http.call('POST /channels/delivered', { body: { latest_delivered_messages: due } });
    } catch (error) {
      core.log.warn('A delivery report failed', error);
      if (!isPassing(error)) return;
      for (const { cid, id } of due) if (!arrived.has(cid)) arrived.set(cid, id);
      again();
    }
  },
});
