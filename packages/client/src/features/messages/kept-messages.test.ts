import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeviceStorage, Locks } from '../../browser.ts';
import { createClient, type ParleyClient } from '../../index.ts';
import { type ChatDouble, startChatDouble } from '../../testing/chat-double.ts';
import { keptMessages } from './index.ts';

const cid = 'messaging:general';
let server: ChatDouble;
let clients: ParleyClient[] = [];

beforeEach(async () => {
  server = await startChatDouble();
});
afterEach(async () => {
  for (const client of clients) await client.disconnect();
  clients = [];
  await server.stop();
});

const createStorage = (): DeviceStorage => {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
};

/** The locks of a browser; `closePages` ends those that open pages hold. */
const createLocks = () => {
  const held = new Set<string>();
  const request = async (name: string, ...given: unknown[]) => {
    const run = given.at(-1) as (lock: object | null) => unknown;
    if (held.has(name)) return run(null);
    held.add(name);
    await run({});
    held.delete(name);
  };
  return { locks: { request } as unknown as Locks, closePages: () => held.clear() };
};

/** A browser whose pages share a storage. */
const openBrowser = () => {
  const storage = createStorage();
  const { locks, closePages } = createLocks();
  const openPage = async (id = 'ann') => {
    const client = createClient({
      ...{ apiKey: 'key', baseUrl: server.url, environment: { storage, locks } },
      log: { warn: () => {}, error: () => {} },
    });
    clients.push(client);
    client.feature(keptMessages);
    await client.connectUser({ id }, id);
    await client.channels.open('messaging', 'general');
    return client;
  };
  return { storage, closePages, openPage };
};

const isSend = ({ path, method }: { path: string; method: string }) =>
  method === 'POST' && path.endsWith('/message');
const goAway = () => {
  server.faults.fault = (request) => (isSend(request) ? 'drop' : undefined);
};
const comeBack = () => {
  server.faults.fault = () => undefined;
};
const stored = () => server.state.channels.get(cid)?.messages.map(({ text }) => text);
const shown = (client: ParleyClient) =>
  client.channels
    .state(cid)
    .get()
    ?.messages.map(({ text, status }) => `${text} ${status}`);

test('M4 messages that wait are sent after a reload, in their order and once', async () => {
  const { storage, closePages, openPage } = openBrowser();
  goAway();
  const before = await openPage();
  for (const text of ['one', 'two']) before.messages.send(cid, { text }).catch(() => {});
  await before.disconnect();
  closePages();

  const after = await openPage();
  await vi.waitFor(() => expect(shown(after)).toEqual(['one sending', 'two sending']));
  comeBack();

  await vi.waitFor(() => expect(stored()).toEqual(['one', 'two']), { timeout: 5000 });
  await vi.waitFor(() => expect(storage.length).toBe(0));
});

test('M4 a page that is open sends its own messages; another page of the browser leaves them alone', async () => {
  const { openPage } = openBrowser();
  goAway();
  const first = await openPage();
  first.messages.send(cid, { text: 'mine' }).catch(() => {});

  const second = await openPage();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(shown(second)).toEqual([]);
  expect([first, second].map((page) => page.feature(keptMessages).waiting())).toEqual([1, 1]);
  comeBack();
  await vi.waitFor(() => expect(second.feature(keptMessages).waiting()).toBe(0), { timeout: 5000 });
});

test('M4 a message that waits is not sent as the next user, and is sent when its author is back', async () => {
  const { closePages, openPage } = openBrowser();
  goAway();
  const ann = await openPage();
  ann.messages.send(cid, { text: 'by ann' }).catch(() => {});
  await vi.waitFor(() => expect(server.requests.some(isSend)).toBe(true));
  await ann.disconnect();
  closePages();
  comeBack();

  const bob = await openPage('bob');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([shown(bob), stored()]).toEqual([[], []]);
  await bob.disconnect();
  await openPage();

  await vi.waitFor(() => expect(stored()).toEqual(['by ann']));
});

test('M4 a refused message is still there after a reload, with its reason, and can be deleted', async () => {
  const { storage, closePages, openPage } = openBrowser();
  server.faults.fault = (request) => (isSend(request) ? 'MessageBlocked' : undefined);
  const before = await openPage();
  await before.messages.send(cid, { text: 'no' }).catch(() => {});
  await before.disconnect();
  closePages();

  const after = await openPage();
  await vi.waitFor(() => expect(shown(after)).toEqual(['no failed']));
  const [refused] = after.channels.state(cid).get()?.messages ?? [];
  expect(refused?.error?.name).toBe('MessageBlocked');
  await after.messages.delete({ cid, id: refused?.id ?? '' });

  expect([shown(after), storage.length]).toEqual([[], 0]);
});

test('A2 a message whose upload a reload cut off has failed, and is sent once its file is given', async () => {
  const { closePages, openPage } = openBrowser();
  const before = await openPage();
  const attachments = [{ type: 'file', title: 'a.txt', state: 'uploading' }];
  const rest = () => new Promise<never>(() => {});
  before.messages.send(cid, { text: 'with a file', attachments }, { rest }).catch(() => {});
  await before.disconnect();
  closePages();

  const after = await openPage();
  await vi.waitFor(() => expect(shown(after)).toEqual(['with a file failed']));
  const { id = '' } = after.channels.state(cid).get()?.messages[0] ?? {};
  await expect(after.messages.retry(cid, id)).rejects.toThrow('Error uploading attachment');
  const file = { type: 'file', asset_url: 'https://a.example/a.txt' };
  after.feature(keptMessages).provide(id, async () => ({ attachments: [file] }));

  expect((await after.messages.retry(cid, id)).attachments).toEqual([file]);
});

test('M4 a message to a conversation that is gone is handed to the listener, with its text', async () => {
  const { openPage } = openBrowser();
  const client = await openPage();
  const lost = vi.fn();
  client.feature(keptMessages).onLost(lost);
  server.faults.fault = (request) => (isSend(request) ? 'NotFound' : undefined);
  await client.messages.send('messaging:gone', { text: 'anybody here?' }).catch(() => {});

  expect(lost).toHaveBeenCalledWith(expect.objectContaining({ input: { text: 'anybody here?' } }));
});
