import { channelPreferences } from '@parley/client/channel-preferences';
import { unreadTotal } from '@parley/client/reads';
import { createTestChat, type TestChat, type TestClient, until, within } from '@parley/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

/** Two conversations, one of a type that keeps no marks, and an invitation. */
const kinds = ['first', 'second', 'live', 'invited'] as const;
type Kind = (typeof kinds)[number];
const acts = ['say', 'hide', 'show', 'archive', 'unarchive', 'mute', 'unmute', 'unread', 'answer'] as const;
type Step = { kind: Kind; act: (typeof acts)[number] };
const anySteps = fc.array(fc.record({ kind: fc.constantFrom(...kinds), act: fc.constantFrom(...acts) }), {
  minLength: 3,
  maxLength: 12,
});

let serial = 0;
const setUp = async () => {
  serial += 1;
  const { channels, users } = chat.admin;
  const reader = `reader-${serial}`;
  await users.upsert([{ id: reader, name: reader }]);
  const cids: Record<Kind, string> = { first: '', second: '', live: '', invited: '' };
  for (const kind of kinds) {
    const [type, id] = [kind === 'live' ? 'livestream' : 'messaging', `${kind}-${serial}`];
    cids[kind] = `${type}:${id}`;
    const members = kind === 'invited' ? ['ana'] : ['ana', reader];
    await channels.create(type, id, { created_by_id: 'ana', members });
  }
  await channels.update(cids.invited, { invites: [reader] });
  return { cids, reader };
};

const play = async (
  { client }: TestClient,
  cids: Record<Kind, string>,
  { kind, act }: Step,
): Promise<void> => {
  const cid = cids[kind];
  const preferences = client.feature(channelPreferences);
  const findLast = async () => {
    await client.channels.watch(cid);
    return client.channels.state(cid).get()?.messages.at(-1)?.id;
  };
  switch (act) {
    case 'say':
      await chat.admin.messages.send(cid, 'ana', { text: `${kind} ${Math.random()}` });
      return;
    case 'hide':
    case 'show':
      return preferences[act](cid);
    case 'archive':
    case 'unarchive':
      await preferences.setArchived(cid, act === 'archive');
      return;
    case 'mute':
    case 'unmute':
      return preferences[act](cid);
    case 'unread': {
      const id = kind === 'live' ? undefined : await findLast();
      if (id !== undefined) await client.reads.markUnread(cid, id);
      return;
    }
    case 'answer':
      await client.members.acceptInvite(cids.invited).catch(() => undefined);
  }
};

/** The entries that a person finds in the lists of the app: conversations and the archive. */
const findEntries = async ({ client }: TestClient, reader: string) => {
  const own = { members: { $in: [reader] }, invite: { $ne: 'pending' } };
  const cids: string[] = [];
  for (const archived of [false, true]) {
    const body = { filter: { ...own, archived }, limit: 30, watch: false };
    const { channels } = await client.http.call('POST /channels', { body });
    cids.push(...channels.map(({ channel }) => channel.cid));
  }
  for (const cid of cids) await client.channels.watch(cid);
  return cids;
};

const unreadIn = ({ client }: TestClient, cids: readonly string[]): number =>
  cids
    .map((cid) => client.channels.state(cid).get())
    .reduce((sum, state) => sum + (state && !state.channel.muted ? state.unread : 0), 0);

/** The total after these steps is that of the server and of the lists, and opening each entry clears it. */
const holds = async (steps: Step[]): Promise<void> => {
  const { cids, reader } = await setUp();
  const person = await chat.connect(reader);
  const { client } = person;
  const total = client.feature(unreadTotal);
  for (const step of steps) await play(person, cids, step);
  const stored = await client.reads.unread();
  const entries = await findEntries(person, reader);

  await until(() => total.get() === stored.total_unread_count, 'the total of the server');
  expect(unreadIn(person, entries)).toBe(stored.total_unread_count);
  for (const cid of entries) await client.reads.markRead(cid);
  await until(() => total.get() === 0, 'nothing unread after all was opened');
  expect((await client.reads.unread()).total_unread_count).toBe(0);
  await client.disconnect();
};

// More histories, for as long as they take: UNREAD_RUNS=500.
const runs = process.env.UNREAD_RUNS === undefined ? undefined : Number(process.env.UNREAD_RUNS);

test('M10 in any state the total is what the lists show, on the server too, and opening each entry clears it', async () => {
  const end = runs === undefined ? Date.now() + 20_000 : Number.POSITIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      if (Date.now() <= end) await within(holds(steps), 'the end of a history');
    }),
    { numRuns: runs ?? 12 },
  );
}, 3_600_000);
