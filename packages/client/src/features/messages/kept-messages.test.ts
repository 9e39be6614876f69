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

/** The locks of a browser: who asks for one that is held waits for it. Those of a page end when it is closed. */
const createLocks = () => {
  const tails = new Map<string, Promise<unknown>>();
  return () => {
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    const request = (name: string, ...given: unknown[]) => {
      const run = given.at(-1) as (lock: object) => unknown;
      const { signal } = (given.length > 1 ? given[0] : {}) as LockOptions;
      const before = tails.get(name);
      const hold = async () => {
        await before;
        if (!signal?.aborted) await Promise.race([run({}), closed]);
      };
      const held = hold();
      tails.set(name, held);
      return held;
    };
    return { locks: { request } as unknown as Locks, close };
  };
};

/** A browser whose pages share a storage; a closed page makes no more calls. */
const openBrowser = ({ hasLocks = true } = {}) => {
  const storage = createStorage();
  const openLocks = createLocks();
  const closes: (() => void)[] = [];
  const openPage = async (id = 'ann') => {
    const { locks, close } = openLocks();
    let isClosed = false;
    closes.push(() => {
      isClosed = true;
      close();
    });
    const client = createClient({
      ...{ apiKey: 'key', baseUrl: server.url },
      environment: {
        ...{ storage, ...(hasLocks && { locks }) },
        fetch: (url, init) => (isClosed ? new Promise(() => {}) : fetch(url, init)),
      },
      log: { warn: () => {}, error: () => {} },
    });
    clients.push(client);
    client.feature(keptMessages);
    await client.connectUser({ id }, id);
    await client.channels.open('messaging', 'general');
    return client;
  };
  const closePages = () => {
    for (const close of closes) close();
  };
  return { storage, closePages, closeFirst: () => closes[0]?.(), openPage };
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

test('M4 in a browser without locks two pages send the same message once', async () => {
  vi.stubGlobal('navigator', {});
  const { storage, openPage } = openBrowser({ hasLocks: false });
  goAway();
  const first = await openPage();
  first.messages.send(cid, { text: 'by both' }).catch(() => {});
  const second = await openPage();
  await vi.waitFor(() => expect(shown(second)).toEqual(['by both sending']));
  comeBack();

  await vi.waitFor(() => expect(stored()).toEqual(['by both']), { timeout: 5000 });
  for (const page of [first, second])
    await vi.waitFor(() => expect(shown(page)).toEqual(['by both sent']), { timeout: 5000 });
  expect(new Set(server.requests.filter(isSend).map(({ body }) => JSON.stringify(body))).size).toBe(1);
  await vi.waitFor(() => expect(storage.length).toBe(0));
  vi.unstubAllGlobals();
});

test('M4 a page that comes back leaves a message to the page that has taken it over', async () => {
  const { openPage } = openBrowser();
  goAway();
  const first = await openPage();
  first.messages.send(cid, { text: 'handed over' }).catch(() => {});
  const second = await openPage();
  await first.disconnect();
  await vi.waitFor(() => expect(shown(second)).toEqual(['handed over sending']));
  await first.connectUser({ id: 'ann' }, 'ann');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([first, second].map((page) => page.feature(keptMessages).waiting())).toEqual([1, 1]);
  comeBack();

  await vi.waitFor(() => expect(stored()).toEqual(['handed over']), { timeout: 5000 });
  await vi.waitFor(() => expect(first.feature(keptMessages).waiting()).toBe(0), { timeout: 5000 });
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

test('M4 a message that waits when the session ends is sent after the next sign-in, also without a reload', async () => {
  const { openPage } = openBrowser();
  goAway();
  const before = await openPage();
  before.messages.send(cid, { text: 'see you' }).catch(() => {});
  await vi.waitFor(() => expect(server.requests.some(isSend)).toBe(true));
  await before.disconnect();
  comeBack();
  await openPage();

  await vi.waitFor(() => expect(stored()).toEqual(['see you']));
});

test('M4 a page that is open takes over the messages of one that is closed', async () => {
  const { closeFirst, openPage } = openBrowser();
  goAway();
  const first = await openPage();
  first.messages.send(cid, { text: 'over to you' }).catch(() => {});
  const second = await openPage();
  expect(shown(second)).toEqual([]);
  closeFirst();
  await vi.waitFor(() => expect(shown(second)).toEqual(['over to you sending']));
  comeBack();

  await vi.waitFor(() => expect(stored()).toEqual(['over to you']), { timeout: 5000 });
});

test('M4 after a reload a message that the server may have is deleted there, and one that was never tried is discarded', async () => {
  const { closePages, openPage } = openBrowser();
  goAway();
  const before = await openPage();
  for (const text of ['tried', 'never tried']) before.messages.send(cid, { text }).catch(() => {});
  await vi.waitFor(() => expect(server.requests.some(isSend)).toBe(true));
  closePages();

  const after = await openPage();
  await vi.waitFor(() => expect(shown(after)).toHaveLength(2));
  const [tried, fresh] = after.channels.state(cid).get()?.messages ?? [];
  await after.messages.delete({ cid, id: fresh?.id ?? '' });
  expect(shown(after)).toEqual(['tried sending']);
  const deleted = after.messages.delete({ cid, id: tried?.id ?? '' });
  deleted.catch(() => {});
  comeBack();

  await vi.waitFor(() => expect(server.requests.some(({ method }) => method === 'DELETE')).toBe(true), {
    timeout: 5000,
  });
});

test('M4 a message that was edited while it waited is sent as it was edited, after a reload too', async () => {
  const { closePages, openPage } = openBrowser();
  goAway();
  const before = await openPage();
  for (const id of ['tried', 'fresh']) before.messages.send(cid, { id, text: id }).catch(() => {});
  await vi.waitFor(() => expect(server.requests.some(isSend)).toBe(true));
  for (const id of ['tried', 'fresh'])
    before.messages.edit({ cid, id }, { text: `${id} and edited` }).catch(() => {});
  closePages();

  const after = await openPage();
  await vi.waitFor(() =>
    expect(shown(after)).toEqual(['tried and edited sending', 'fresh and edited sending']),
  );
  comeBack();

  await vi.waitFor(() => expect(stored()).toEqual(['tried and edited', 'fresh and edited']), {
    timeout: 5000,
  });
  expect(server.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('M4 an edit that waits with a message which the server had stored is made there after a reload', async () => {
  const { storage, closePages, openPage } = openBrowser();
  goAway();
  const before = await openPage();
  before.messages.send(cid, { id: 'known', text: 'first' }).catch(() => {});
  await vi.waitFor(() => expect(server.requests.some(isSend)).toBe(true));
  server.state.post(cid, { id: 'known', text: 'first', mentioned_users: [] });
  before.messages.edit({ cid, id: 'known' }, { text: 'second' }).catch(() => {});
  await vi.waitFor(() => expect(shown(before)).toEqual(['second sent']));
  closePages();

  const after = await openPage();
  await vi.waitFor(() => expect(shown(after)).toEqual(['second sent']));
  comeBack();

  await vi.waitFor(() => expect(stored()).toEqual(['second']), { timeout: 5000 });
  await vi.waitFor(() => expect(storage.length).toBe(0));
  expect(shown(after)).toEqual(['second sent']);
});

test('M4 stored data of another shape is left alone, and keeps no other message from being sent', async () => {
  const { storage, openPage } = openBrowser();
  const good = { cid, id: 'good', input: { text: 'good' }, createdAt: new Date(0).toISOString() };
  const whole = { ...good, status: 'sending', page: 'before' };
  const bad = [
    ...[{ input: null }, { input: { attachments: {} } }, { input: { attachments: [null] } }],
    ...[
      { input: { text: 7 } },
      { input: { mentioned_users: 'bo' } },
      { createdAt: 7 },
      { createdAt: 'noon' },
    ],
    ...[{ cid: 'general' }, { cid: 7 }, { id: 7 }, { page: 7 }, { status: 'lost' }, { error: 'no' }],
  ].map((part, index) => JSON.stringify({ ...whole, id: `part ${index}`, ...part }));
  const texts = [...bad, ...['{', 'null', '7', '"x"', '[]', '{}']];
  for (const [index, text] of texts.entries()) storage.setItem(`parley outbox ann bad-${index}`, text);
  storage.setItem('parley outbox ann good', JSON.stringify(whole));
  const unknown = {
    ...whole,
    id: 'unknown',
    status: 'failed',
    error: { name: 'FutureError', message: 'no' },
  };
  storage.setItem('parley outbox ann unknown', JSON.stringify({ ...unknown, input: { text: 'later' } }));

  const page = await openPage();

  await vi.waitFor(() => expect(stored()).toEqual(['good']));
  expect(shown(page)).toContain('later failed');
});

test('W1 the messages of all pages are counted, and discarded together', async () => {
  const { storage, openPage } = openBrowser();
  goAway();
  const first = await openPage();
  first.messages.send(cid, { text: 'mine' }).catch(() => {});
  const second = await openPage();
  second.messages.send(cid, { text: 'also mine' }).catch(() => {});
  const kept = second.feature(keptMessages);
  expect(kept.waiting()).toBe(2);

  kept.discardAll();

  expect([kept.waiting(), storage.length, shown(second)]).toEqual([0, 0, []]);
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
  const rest = () => new Promise<never>(() => {});
  before.messages.send(cid, { text: 'with a file' }, { rest }).catch(() => {});
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
  const later = vi.fn();
  client.feature(keptMessages).onLost(later);
  expect(later).toHaveBeenCalledOnce();
});
