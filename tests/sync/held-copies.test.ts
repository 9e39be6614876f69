/** Copies of messages outside the channels follow their messages. docs/sync.md, S28. */
import { drafts as draftsFeature } from '@parley/client/drafts';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { threads as threadsFeature } from '@parley/client/threads';
import { until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { closeClient, connectObserver, createScene, setUpWorld } from './scene.ts';
import { openFully } from './verify.ts';

const world = setUpWorld();

/** Ana has a reminder on Bo's message, a draft that quotes it, and a thread in which Bo has answered her. */
const observe = async () => {
  const scene = await createScene(world());
  const reply = await scene.bo.send({ text: 'one', parent_id: scene.first });
  await scene.bo.send({ text: 'two', parent_id: scene.first });
  const { ana, second, cid } = scene;
  const path = { type: scene.type, id: scene.id };
  await ana.caller.call('POST /messages/{id}/reminders', { path: { id: second }, body: {} });
  const message = { text: 'about that', quoted_message_id: second };
  await ana.caller.call('POST /channels/{type}/{id}/draft', { path, body: { message } });
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  const { client } = observer;
  const [reminders, drafts, threads] = [
    client.feature(remindersFeature),
    client.feature(draftsFeature),
    client.feature(threadsFeature),
  ];
  await threads.load();
  await until(() => reminders.isLoaded.get() && drafts.of(cid).get().quote, 'the first loads');
  return {
    ...{ scene, observer, reply },
    reminded: () => reminders.all.get().get(second),
    quote: () => drafts.of(cid).get().quote,
    thread: () => threads.list.get().threads.find((one) => one.parent_message_id === scene.first),
  };
};

test('S28 a reminder and the quote of a draft show an edit, a deletion and a restored message', async () => {
  const { scene, observer, reminded, quote } = await observe();
  const { bo, second } = scene;
  const both = () => [reminded()?.message?.text, quote()?.text];

  await bo.edit(second, 'edited');
  await until(() => both().every((text) => text === 'edited'), 'the edit');
  await bo.remove(second);
  await until(() => both().every((text) => text === ''), 'the deletion');
  expect([reminded()?.message?.type, quote()?.type]).toEqual(['deleted', 'deleted']);
  await bo.undelete(second);
  await until(() => both().every((text) => text === 'edited'), 'the restored message');
  await scene.server.remove(second, { hard: true });
  await until(() => !reminded() && !quote(), 'both to go');
  await closeClient(observer);
});

test('S28 the inbox shows an edit of a parent, and no reply that was deleted', async () => {
  const { scene, observer, reply, thread } = await observe();

  await scene.ana.edit(scene.first, 'edited');
  await until(() => thread()?.parent_message.text === 'edited', 'the edit');
  await scene.bo.remove(reply);
  await until(() => thread()?.reply_count === 1, 'the deletion');
  expect(thread()?.latest_replies.map(({ text }) => text)).toEqual(['two']);
  await scene.bo.undelete(reply);
  await until(() => thread()?.latest_replies.length === 2, 'the restored reply');
  await scene.ana
    .remove(scene.first, { hard: true })
    .catch(() => scene.server.remove(scene.first, { hard: true }));
  await until(() => thread() === undefined, 'the thread to go');
  await closeClient(observer);
});

test('S28 the inbox shows an older reply in the place of one that was deleted', async () => {
  const { scene, observer, thread } = await observe();
  await scene.bo.send({ text: 'three', parent_id: scene.first });
  const last = await scene.bo.send({ text: 'four', parent_id: scene.first });
  const shown = () => thread()?.latest_replies.map(({ text }) => text);
  await until(() => shown()?.join() === 'two,three,four', 'the last reply');
  expect(thread()?.reply_count).toBe(4);

  await scene.bo.remove(last);

  await until(() => shown()?.join() === 'one,two,three', 'the replies that are left');
  expect(thread()?.reply_count).toBe(3);
  await closeClient(observer);
});

test.each(['truncate', 'clearHistory', 'removal'] as const)(
  'S28 nothing is left of a channel after its %s',
  async (act) => {
    const { scene, observer, reminded, quote, thread } = await observe();

    if (act === 'truncate') await scene.bo.truncate();
    else if (act === 'clearHistory') await scene.ana.clearHistory();
    else await scene.bo.change({ remove_members: ['ana'] });

    await until(() => !reminded() && !thread() && (act === 'removal' || !quote()), 'all to go');
    await closeClient(observer);
  },
);
