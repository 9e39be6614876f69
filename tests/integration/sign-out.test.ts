import { channelMedia, fileUrls, selectSendRefusal, uploads } from '@parley/client/attachments';
import { commands } from '@parley/client/commands';
import { drafts } from '@parley/client/drafts';
import { linkPreviews } from '@parley/client/link-previews';
import { locations } from '@parley/client/locations';
import { mentions } from '@parley/client/mentions';
import { notes } from '@parley/client/messages';
import { polls } from '@parley/client/polls';
import { unreadTotal } from '@parley/client/reads';
import { reminders } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { search } from '@parley/client/search';
import { threads } from '@parley/client/threads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const cid = 'messaging:room';
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

test('C8 the next user finds nothing of the user before, in any feature of the client', async () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
  const { client } = await chat.connect('ana', { environment: { storage } });
  await client.channels.open('messaging', 'room');
  const all = {
    ...{ polls: client.feature(polls), reminders: client.feature(reminders), drafts: client.feature(drafts) },
    ...{ scheduled: client.feature(scheduledMessages), locations: client.feature(locations) },
    ...{
      threads: client.feature(threads),
      total: client.feature(unreadTotal),
      urls: client.feature(fileUrls),
    },
    ...{ mentions: client.feature(mentions), commands: client.feature(commands) },
  };
  const files = client.feature(uploads).create({ cid });
  const previews = client.feature(linkPreviews).create();
  const found = client.feature(search).create();
  const media = client.feature(channelMedia).create(cid, 'files');

  const message = await client.messages.send(cid, { text: 'secret of Ana' });
  await all.polls.send(cid, { name: 'Which?', options: [{ id: 'a', text: 'A' }] });
  const carrier = () =>
    client.channels
      .state(cid)
      .get()
      ?.messages.find(({ poll }) => poll);
  await all.polls.vote(carrier() ?? message, carrier()?.poll?.id ?? '', 'a');
  await all.reminders.set(message.id, { note: 'of Ana' });
  await all.scheduled.add(cid, { text: 'later' }, new Date(Date.now() + 3_600_000));
  await all.locations.share(cid, { where: { latitude: 1, longitude: 1 }, durationMs: 600_000 });
  all.drafts.set(cid, undefined, { text: 'half of Ana' });
  client.feature(notes).add(cid, 'a note to Ana');
  files.add([new File(['x'], 'of Ana.txt', { type: 'text/plain' })]);
  await vi.waitFor(() => expect(selectSendRefusal(files.get())).toBeUndefined());
  const [{ asset_url: url = '' } = {}] = files.take();
  expect(await all.urls.resolve(url)).toContain(url);
  previews.type('https://a.example/of-ana');
  found.type('secret');
  await media.load();
  all.mentions.choose({ id: 'cy', name: 'Cy', role: 'user', created_at: '', updated_at: '' });
  expect(all.mentions.called(cid, '@Cy')).toHaveLength(1);
  await all.threads.load();
  await until(() => all.locations.active.get().length === 1, 'the share of Ana');

  await client.disconnect();
  await client.connectUser({ id: 'bo' }, await chat.token('bo'));
  await client.channels.open('messaging', 'room');
  await until(() => all.reminders.isLoaded.get() && all.scheduled.isLoaded.get(), 'the lists of Bo');
  await until(() => all.locations.isLoaded.get(), 'the shares of Bo');

  expect(client.feature(reminders)).toBe(all.reminders);
  expect(all.reminders.all.get().size).toBe(0);
  expect(all.scheduled.all.get()).toEqual([]);
  expect(all.locations.active.get()).toEqual([]);
  expect(all.drafts.all.get()).toEqual([]);
  expect(all.drafts.of(cid).get().text).toBe('');
  expect(all.urls.peek(url)).toBeUndefined();
  expect(files.get().items).toEqual([]);
  expect(previews.get().items).toEqual([]);
  expect(found.get()).toMatchObject({ typed: '', status: 'idle' });
  expect(media.get().items).toEqual([]);
  expect(all.mentions.called(cid, '@Cy')).toEqual([]);
  expect(all.threads.list.get()).toMatchObject({ status: 'idle', threads: [] });
  expect(carrier()?.poll?.own_votes ?? []).toEqual([]);
  const texts = client.channels
    .state(cid)
    .get()
    ?.messages.map(({ text }) => text);
  expect(texts).toContain('secret of Ana');
  expect(texts).not.toContain('a note to Ana');

  await client.disconnect();
  await client.connectUser({ id: 'ana' }, await chat.token('ana'));
  await until(() => all.drafts.of(cid).get().text === 'half of Ana', 'the unsaved draft of Ana');
});
