import { readFileSync } from 'node:fs';
import type { Feature, ParleyClient } from '@parley/client';
import { channelMedia, fileUrls, selectSendRefusal, uploads } from '@parley/client/attachments';
import { channelPreferences } from '@parley/client/channel-preferences';
import { keptScreen } from '@parley/client/channels';
import { commands } from '@parley/client/commands';
import { drafts } from '@parley/client/drafts';
import { linkPreviews } from '@parley/client/link-previews';
import { locations } from '@parley/client/locations';
import { mentions } from '@parley/client/mentions';
import { keptMessages, messageHistory, notes, pendingMessages } from '@parley/client/messages';
import { polls } from '@parley/client/polls';
import { receipts, unreadTotal } from '@parley/client/reads';
import { reminders } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { search } from '@parley/client/search';
import { tasks } from '@parley/client/tasks';
import { threads } from '@parley/client/threads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const cid = 'messaging:room';
const ofAna = 'messaging:of-ana';
const unopened = 'messaging:unopened';
const waiting = 'messaging:waiting';
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  const create = (id: string, members: string[]) =>
    chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members });
  for (const id of ['room', 'waiting']) await create(id, ['ana', 'bo']);
  for (const id of ['of-ana', 'unopened']) await create(id, ['ana', 'cy']);
});
afterAll(() => chat.stop());

/** Leaves something of Ana in a feature; what it returns expects that Bo does not find it. */
type Scene = (client: ParleyClient) => Promise<() => unknown>;

/** A feature that only makes calls and keeps nothing between them. */
const keepsNothing =
  (feature: Feature<object>): Scene =>
  async (client) => {
    const before = client.feature(feature);
    return () => expect(client.feature(feature)).toBe(before);
  };

const messagesOf = (client: ParleyClient, of = cid) => client.channels.state(of).get()?.messages ?? [];
const textsOf = (client: ParleyClient) => messagesOf(client).map(({ text }) => text);

/** The key is the name of each feature that an entry of the client exports. */
const scenes: Record<string, Scene> = {
  'channel-media': async (client) => {
    const media = client.feature(channelMedia).create(cid, 'files');
    await media.load();
    return () => expect(media.get().items).toEqual([]);
  },
  'channel-preferences': async (client) => {
    const preferences = client.feature(channelPreferences);
    await preferences.mute(cid);
    await until(() => preferences.mutes.get().length === 1, 'the mute of Ana');
    return () => expect(preferences.mutes.get()).toEqual([]);
  },
  commands: async (client) => {
    const feature = client.feature(commands);
    const listed = await feature.list();
    return async () => expect(await feature.list()).not.toBe(listed);
  },
  drafts: async (client) => {
    const feature = client.feature(drafts);
    feature.set(cid, undefined, { text: 'half of Ana' });
    return () => {
      expect(feature.all.get()).toEqual([]);
      expect(feature.of(cid).get().text).toBe('');
    };
  },
  'file-urls': async (client) => {
    const feature = client.feature(fileUrls);
    const files = client.feature(uploads).create({ cid });
    files.add([new File(['x'], 'of Ana.txt', { type: 'text/plain' })]);
    await vi.waitFor(() => expect(selectSendRefusal(files.get())).toBeUndefined());
    const [{ asset_url: url = '' } = {}] = files.take();
    await client.messages.send(cid, { text: 'a file', attachments: files.take() });
    expect(await feature.resolve(url)).toContain(url);
    return () => expect(feature.peek(url)).toBeUndefined();
  },
  'kept-messages': async (client) => {
    const kept = client.feature(keptMessages);
    await client.channels.open('messaging', 'waiting');
    const rest = () => new Promise<never>(() => {});
    client.messages.send(waiting, { text: 'of Ana, not sent' }, { rest }).catch(() => undefined);
    expect(messagesOf(client, waiting).map(({ text }) => text)).toEqual(['of Ana, not sent']);
    expect(kept.waiting()).toBe(1);
    return async () => {
      await client.channels.open('messaging', 'waiting');
      expect(messagesOf(client, waiting)).toEqual([]);
      expect(kept.waiting()).toBe(0);
    };
  },
  'kept-screen': async (client) => {
    const feature = client.feature(keptScreen);
    await client.channels.open('messaging', 'of-ana');
    expect(feature.take({}, [ofAna])?.channels).toHaveLength(1);
    return () => expect(feature.take({}, [ofAna])?.channels).toEqual([]);
  },
  'link-previews': async (client) => {
    const previews = client.feature(linkPreviews).create();
    previews.type('https://a.example/of-ana');
    expect(previews.get().items).toHaveLength(1);
    return () => expect(previews.get().items).toEqual([]);
  },
  locations: async (client) => {
    const feature = client.feature(locations);
    await feature.share(cid, { where: { latitude: 1, longitude: 1 }, durationMs: 600_000 });
    await until(() => feature.active.get().length === 1, 'the share of Ana');
    return async () => {
      await until(() => feature.isLoaded.get(), 'the shares of Bo');
      expect(feature.active.get()).toEqual([]);
    };
  },
  mentions: async (client) => {
    const feature = client.feature(mentions);
    feature.choose({ id: 'cy', name: 'Cy', role: 'user', created_at: '', updated_at: '' });
    expect(feature.called(cid, '@Cy')).toHaveLength(1);
    return () => expect(feature.called(cid, '@Cy')).toEqual([]);
  },
  'message-history': keepsNothing(messageHistory),
  notes: async (client) => {
    client.feature(notes).add(cid, 'a note to Ana');
    expect(textsOf(client)).toContain('a note to Ana');
    return () => expect(textsOf(client)).not.toContain('a note to Ana');
  },
  'pending-messages': async (client) => {
    await client.feature(pendingMessages).send(cid, { text: 'pending of Ana' });
    await until(() => textsOf(client).includes('pending of Ana'), 'the pending message of Ana');
    return () => expect(textsOf(client)).not.toContain('pending of Ana');
  },
  polls: async (client) => {
    const feature = client.feature(polls);
    await feature.send(cid, { name: 'Which?', options: [{ id: 'a', text: 'A' }] });
    const carrier = () => messagesOf(client).find(({ poll }) => poll);
    const message = carrier();
    if (!message?.poll) throw new Error('The poll is not shown');
    await feature.vote(message, message.poll.id, 'a');
    expect(carrier()?.poll?.own_votes).toHaveLength(1);
    return () => expect(carrier()?.poll?.own_votes ?? []).toEqual([]);
  },
  receipts: keepsNothing(receipts),
  reminders: async (client) => {
    const feature = client.feature(reminders);
    const message = await client.messages.send(cid, { text: 'to be reminded of' });
    await feature.set(message.id, { note: 'of Ana' });
    return async () => {
      await until(() => feature.isLoaded.get(), 'the reminders of Bo');
      expect(feature.all.get().size).toBe(0);
    };
  },
  'scheduled-messages': async (client) => {
    const feature = client.feature(scheduledMessages);
    await feature.add(cid, { text: 'later' }, new Date(Date.now() + 3_600_000));
    return async () => {
      await until(() => feature.isLoaded.get(), 'the scheduled messages of Bo');
      expect(feature.all.get()).toEqual([]);
    };
  },
  search: async (client) => {
    const found = client.feature(search).create();
    found.type('secret');
    await until(() => found.get().messages.items.length > 0, 'the results of Ana');
    return () =>
      expect(found.get()).toMatchObject({
        ...{ typed: '', status: 'idle' },
        ...{ messages: { items: [] }, channels: { items: [] }, people: { items: [] } },
      });
  },
  tasks: keepsNothing(tasks),
  threads: async (client) => {
    const feature = client.feature(threads);
    await feature.load();
    return () => expect(feature.list.get()).toMatchObject({ status: 'idle', threads: [] });
  },
  'unread-total': async (client) => {
    const total = client.feature(unreadTotal);
    await chat.admin.messages.send(unopened, 'cy', { text: 'unread by Ana' });
    await until(() => total.get() === 1, 'the unread message of Ana');
    return () => until(() => total.get() === client.channels.state(cid).get()?.unread, 'the total of Bo');
  },
  uploads: async (client) => {
    const tray = client.feature(uploads).create({ cid });
    tray.add([new File(['x'], 'in the tray of Ana.txt', { type: 'text/plain' })]);
    await vi.waitFor(() => expect(selectSendRefusal(tray.get())).toBeUndefined());
    expect(tray.get().items).toHaveLength(1);
    return () => expect(tray.get().items).toEqual([]);
  },
};

/** The same for the properties of the client itself. */
const ownScenes: Record<string, Scene> = {
  channels: async (client) => {
    await client.channels.open('messaging', 'of-ana');
    expect(client.channels.active.get()).toContain(ofAna);
    return () => {
      expect(client.channels.active.get()).toEqual([cid]);
      expect(client.channels.state(ofAna).get()).toBeUndefined();
    };
  },
  me: async (client) => () => expect(client.me.get()?.id).toBe('bo'),
  members: async (client) => () => expect(client.channels.state(cid).get()?.membership?.user_id).toBe('bo'),
  messages: async (client) => {
    await client.messages.send(cid, { text: 'secret of Ana' });
    return () => {
      expect(textsOf(client)).toContain('secret of Ana');
      expect(messagesOf(client).map(({ status }) => status)).not.toContain('sending');
    };
  },
  presence: async (client) => () => expect(client.channels.state(cid).get()?.ownId).toBe('bo'),
  reactions: async (client) => {
    const message = await client.messages.send(cid, { text: 'liked by Ana' });
    await client.reactions.add(message, 'like');
    const own = () => messagesOf(client).find(({ id }) => id === message.id)?.own_reactions;
    expect(own()).toHaveLength(1);
    return () => expect(own()).toEqual([]);
  },
  reads: async (client) => () => expect(client.channels.state(cid).get()?.unread).toBeGreaterThan(0),
  typing: async (client) => {
    client.typing.keystroke(cid);
    return () => expect(client.channels.state(cid).get()?.typing).toEqual([]);
  },
  users: async (client) => {
    expect(client.users.get('cy').get()).toBeDefined();
    return () => expect(client.users.get('cy').get()).toBeUndefined();
  },
};
/** Properties that belong to no user: the connection, the calls themselves, and the way to features. */
const noState = new Set([
  ...['http', 'on', 'connection', 'feature'],
  ...['connectUser', 'connectAnonymous', 'connectGuest', 'disconnect'],
]);

const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
  key: (index: number) => [...kept.keys()][index] ?? null,
  get length() {
    return kept.size;
  },
});

const isFeature = (value: unknown): value is Feature<object> =>
  typeof value === 'object' && value !== null && 'create' in value && 'name' in value;

/** The features that the entries of the client export. */
const exportedFeatures = async (): Promise<string[]> => {
  const path = new URL('../../packages/client/package.json', import.meta.url);
  const manifest: { exports: Record<string, string> } = JSON.parse(readFileSync(path, 'utf8'));
  const entries = await Promise.all(
    Object.keys(manifest.exports).map((entry) => import(`@parley/client${entry.slice(1)}`)),
  );
  return entries.flatMap((entry) => Object.values(entry).filter(isFeature)).map(({ name }) => name);
};

test('C8 every feature of the client has a scene in this file', async () => {
  expect(Object.keys(scenes).sort()).toEqual([...new Set(await exportedFeatures())].sort());
});

test('C8 the next user finds nothing of the user before, in any feature of the client', async () => {
  const storage = storageOf(new Map());
  const { client } = await chat.connect('ana', { environment: { storage } });
  await client.channels.open('messaging', 'room');
  expect(Object.keys(ownScenes).sort()).toEqual(
    Object.keys(client)
      .filter((key) => !noState.has(key))
      .sort(),
  );
  const checks: (() => unknown)[] = [];
  for (const scene of Object.values({ ...ownScenes, ...scenes })) checks.push(await scene(client));
  const kept = client.feature(drafts);

  await client.disconnect();
  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  await client.channels.open('messaging', 'room');

  for (const check of checks) await check();

  await client.disconnect();
  await client.connectUser({ id: 'ana' }, await chat.token('ana'));
  await until(() => kept.of(cid).get().text === 'half of Ana', 'the unsaved draft of Ana');
});
