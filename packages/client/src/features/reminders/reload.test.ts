import type { OwnUser, Reminder } from '@parley/protocol';
import { expect, test, vi } from 'vitest';
import type { FeatureCore } from '../../client.ts';
import { createEvents } from '../../events.ts';
import { NetworkError } from '../../http/network-error.ts';
import { createBatch, createCell } from '../../readable.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { anOwnUser, at } from '../../testing/records.ts';
import { reminders as remindersFeature } from './index.ts';

const cid = 'messaging:general';
const reminder: Reminder = {
  ...{ message_id: 'm', cid, user_id: 'ann' },
  ...{ created_at: at(1), updated_at: at(1) },
};

test('S24 the reminders of a channel that was left come back after a load that the network lost', async () => {
  const clock = createHandClock();
  const lost = [false, true];
  const call = vi.fn(async () => {
    if (lost.shift()) throw new NetworkError('The network is away');
    return { reminders: [reminder] };
  });
  const events = createEvents(() => {});
  const batch = createBatch();
  const me = createCell<OwnUser | undefined>(anOwnUser('ann'), batch);
  const visibility = { isVisible: () => true, subscribe: () => () => {} };
  const environment = { clock, random: () => 0, uuid: () => 'r', visibility };
  const core = { http: { call }, me, batch, events, environment, resets: [] };
  const { all, isLoaded } = remindersFeature.create(core as unknown as FeatureCore);
  await vi.waitFor(() => expect(isLoaded.get()).toBe(true));

  const left = { type: 'notification.removed_from_channel', created_at: at(2), channel: { cid } };
  events.emit(left as Parameters<typeof events.emit>[0]);
  expect(all.get().size).toBe(0);
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));

  await vi.waitFor(() => {
    clock.advance(1000);
    expect(all.get().size).toBe(1);
  });
});
