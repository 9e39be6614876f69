import { type Drafts, type DraftsOptions, draftsWith } from '@parley/client/drafts';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

let serial = 0;
const makeRoom = async (): Promise<string> => {
  const id = `room-${++serial}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  return `messaging:${id}`;
};

const openDevice = async (options: DraftsOptions = {}) => {
  const { client, faults } = await chat.connect('ana');
  let merges = 0;
  const drafts = client.feature(draftsWith({ debounce: 20, ...options }));
  drafts.onMerge(() => {
    merges += 1;
  });
  return { client, faults, drafts, merges: () => merges };
};

const textIn = (drafts: Drafts, cid: string): string => drafts.of(cid).get().text;
const stored = async (cid: string): Promise<string | undefined> => {
  const raw = await chat.as('ana');
  const { drafts } = await raw.call('POST /drafts/query', { body: { filter: { cid } } });
  return drafts[0]?.message.text;
};

const createStorage = () => {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
};

test('M8 a text typed on one device shows on the other, and goes with the send', async () => {
  const cid = await makeRoom();
  const [desktop, phone] = [await openDevice(), await openDevice()];

  desktop.drafts.set(cid, undefined, { text: 'half a sent' });
  await until(() => textIn(phone.drafts, cid) === 'half a sent', 'the draft on the phone');
  expect(phone.drafts.all.get()).toMatchObject([{ cid, text: 'half a sent' }]);

  phone.drafts.reset(cid, undefined, phone.client.messages.send(cid, { text: 'half a sentence' }));

  await until(() => textIn(desktop.drafts, cid) === '', 'the draft to go from the desk');
  expect(await stored(cid)).toBeUndefined();
});

test('M8 two devices that type at once lose nothing, and it is said', async () => {
  const cid = await makeRoom();
  const [desktop, phone] = [await openDevice(), await openDevice()];

  desktop.drafts.set(cid, undefined, { text: 'written at the desk' });
  phone.drafts.set(cid, undefined, { text: 'written on the phone' });

  const isBoth = (text: string) => text.includes('the desk') && text.includes('the phone');
  await until(() => isBoth(textIn(desktop.drafts, cid)), 'both at the desk');
  await until(() => textIn(desktop.drafts, cid) === textIn(phone.drafts, cid), 'the same on the phone');
  expect(desktop.merges() + phone.merges()).toBe(1);
});

test('M8 offline it is kept here, and saved when the network is back', async () => {
  const cid = await makeRoom();
  const [desktop, phone] = [await openDevice(), await openDevice()];
  desktop.faults.goOffline();

  desktop.drafts.set(cid, undefined, { text: 'from the tunnel' });
  phone.drafts.set(cid, undefined, { text: 'from the garden' });
  await until(() => desktop.drafts.all.get().some((draft) => draft.cid === cid), 'the draft at the desk');
  desktop.faults.restore();

  const both = (text: string) => text.includes('tunnel') && text.includes('garden');
  await until(() => both(textIn(desktop.drafts, cid)), 'both at the desk');
  await until(() => both(textIn(phone.drafts, cid)), 'both on the phone');
});

test('M8 a reload loses nothing that was typed a moment ago', async () => {
  const cid = await makeRoom();
  const storage = createStorage();
  const before = await openDevice({ storage, debounce: 60_000 });
  before.drafts.set(cid, undefined, { text: 'just typed' });
  await before.client.disconnect();

  const after = await openDevice({ storage });

  expect(textIn(after.drafts, cid)).toBe('just typed');
  await until(() => storage.length === 0, 'the copy here to be needless');
  expect(await stored(cid)).toBe('just typed');
});

test('M8 the text of a refused message is there again after a reload', async () => {
  const cid = await makeRoom();
  const storage = createStorage();
  const before = await openDevice({ storage });
  before.drafts.set(cid, undefined, { text: 'not wanted' });
  before.drafts.reset(cid, undefined, Promise.reject(new Error('refused')));
  await before.client.disconnect();

  const after = await openDevice({ storage });

  expect(textIn(after.drafts, cid)).toBe('not wanted');
});

test('M8 while a draft is paused nothing changes it; what came meanwhile is put together at the end', async () => {
  const cid = await makeRoom();
  const [desktop, phone] = [await openDevice(), await openDevice()];
  desktop.drafts.set(cid, undefined, { text: 'both. ' });
  await until(() => textIn(phone.drafts, cid) === 'both. ', 'the draft on the phone');

  const resume = desktop.drafts.pause(cid);
  desktop.drafts.set(cid, undefined, { text: 'both. ni' });
  phone.drafts.set(cid, undefined, { text: 'first. both. ' });
  await until(async () => (await stored(cid)) === 'first. both. ', 'what the phone wrote');
  desktop.drafts.set(cid, undefined, { text: 'both. nihon' });
  expect(textIn(desktop.drafts, cid)).toBe('both. nihon');
  resume();

  await until(() => textIn(desktop.drafts, cid) === 'first. both. nihon', 'both together');
  await until(() => textIn(phone.drafts, cid) === 'first. both. nihon', 'both together on the phone');
  expect(desktop.merges()).toBe(1);
});
