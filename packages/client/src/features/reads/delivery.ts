import type { Message } from '@parley/protocol';
import { times } from '@parley/protocol/limits';
import type { Core } from '../../core.ts';
import { after } from '../../environment.ts';
import { late } from '../../load-late.ts';
import type { Unsubscribe } from '../../readable.ts';

/** Reports what arrived from others: one second after the first arrival, at most 100 a call, none when empty. */
export const reportDeliveries = (core: Core): Unsubscribe => {
  const arrived = new Map<string, string>();
  let stopTimer: (() => void) | undefined;

  const { report } = late(core, 'deliveries', 'report');
  const again = () => plan(10 * times.deliveryReport);
  const plan = (ms: number = times.deliveryReport) => {
    stopTimer ??= after(core.environment.clock, ms, () => {
      stopTimer = undefined;
      report(arrived, plan, again).catch(again);
    });
  };
  const onMessage = ({ message, cid = message.cid }: { message: Message; cid?: string }) => {
    const me = core.me.get();
    if (!me || !message.user || message.user.id === me.id) return;
    // The report is of the channel: a reply that it does not show must not take the place of a message that it does.
    if (message.parent_id !== undefined && !message.show_in_channel) return;
    if (core.store.confirmed(cid)?.channel.config?.delivery_events === false) return;
    arrived.set(cid, message.id);
    plan();
  };
  const stop = core.events.listen({
    'message.new': onMessage,
    'notification.message_new': onMessage,
  });
  return () => {
    stop();
    stopTimer?.();
    // A report that fails after this plans no other.
    stopTimer = () => {};
    arrived.clear();
  };
};
