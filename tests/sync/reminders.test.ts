import { type Reminders, reminders as remindersFeature } from '@parley/client/reminders';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { untilRecovered } from './verify.ts';

/** Records of one person are in no log: the law holds for them by reloading. docs/sync.md, S24. */
let chat: TestChat;
const ids: string[] = [];
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  const bo = await chat.as('bo');
  const path = { type: 'messaging', id: 'reminded' };
  await bo.call('POST /channels/{type}/{id}/query', { path, body: { data: { members: ['ana', 'bo'] } } });
  for (let index = 0; index < 6; index++) {
    const body = { message: { text: `m${index}` } };
    ids.push((await bo.call('POST /channels/{type}/{id}/message', { path, body })).message.id);
  }
});
afterAll(() => chat.stop());

const inMs = (ms: number) => new Date(Date.now() + ms);

const observe = async (): Promise<TestClient & { reminders: Reminders }> => {
  const made = await chat.connect('ana');
  const reminders = made.client.feature(remindersFeature);
  await until(() => reminders.isLoaded.get(), 'the first load');
  return { ...made, reminders };
};

/** Holds observers against a client that knows nothing of the past. */
const verify = async (observers: { reminders: Reminders }[]): Promise<void> => {
  const fresh = await observe();
  const expected = [...fresh.reminders.all.get().values()].sort((a, b) =>
    a.message_id.localeCompare(b.message_id),
  );
  for (const { reminders } of observers)
    await vi.waitFor(() => {
      const seen = [...reminders.all.get().values()].sort((a, b) => a.message_id.localeCompare(b.message_id));
      expect(seen).toEqual(expected);
    });
  await fresh.client.disconnect();
};

test('S24 reminder.created, reminder.updated, reminder.deleted: live, offline, twice and late', async () => {
  const [live, offline, twice, late] = [await observe(), await observe(), await observe(), await observe()];
  const [first = '', second = '', third = ''] = ids;
  twice.faults.onFrame(() => 'duplicate');
  late.faults.onFrame((json) => (json.includes('"reminder.updated"') ? { delayMs: 60 } : undefined));
  offline.faults.goOffline();

  await live.reminders.set(first, { remindAt: inMs(3_600_000), note: 'one' });
  await live.reminders.set(second);
  await live.reminders.set(third, { remindAt: inMs(7_200_000) });
  await live.reminders.set(first, { remindAt: inMs(1_800_000) });
  await live.reminders.set(third);
  await live.reminders.delete(third);
  await untilRecovered(offline, offline.faults.restore);
  await new Promise((resolve) => setTimeout(resolve, 100));

  await verify([live, offline, twice, late]);
  expect(live.reminders.groups.get()).toMatchObject({
    upcoming: [{ message_id: first, note: 'one' }],
    saved: [{ message_id: second }],
    overdue: [],
  });
});

test('S24 notification.reminder_due: who was away receives it after the recovery, and everyone once', async () => {
  const [live, away] = [await observe(), await observe()];
  const due = { live: [] as string[], away: [] as string[] };
  live.reminders.onDue(({ message_id }) => due.live.push(message_id));
  away.reminders.onDue(({ message_id }) => due.away.push(message_id));
  const [, , , before = '', during = ''] = ids;
  await live.reminders.set(before, { remindAt: inMs(1500) });
  await until(() => due.live.length === 1 && due.away.length === 1, 'the first');
  away.faults.goOffline();
  await live.reminders.set(during, { remindAt: inMs(1500) });
  await until(() => due.live.length === 2, 'the second');
  await untilRecovered(away, away.faults.restore);
  await until(() => due.away.length === 2, 'what was missed');
  await untilRecovered(away, away.faults.cutSockets);
  await away.reminders.reload();

  expect(due).toEqual({ live: [before, during], away: [before, during] });
  expect(live.reminders.groups.get().overdue.map(({ message_id }) => message_id)).toEqual([during, before]);
  await verify([live, away]);
});

test('S24 two devices that set the same at once end with the same', async () => {
  const [one, two] = [await observe(), await observe()];
  const id = ids[5] ?? '';

  await Promise.all([
    one.reminders.set(id, { remindAt: inMs(3_600_000), note: 'from one' }),
    two.reminders.set(id, { remindAt: inMs(7_200_000), note: 'from two' }),
  ]);

  await verify([one, two]);
  await Promise.all([one.reminders.delete(id), two.reminders.delete(id)]);
  await verify([one, two]);
});
