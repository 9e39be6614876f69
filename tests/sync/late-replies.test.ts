/** Replies that come after events which followed them. docs/sync.md, S9. */
import { until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { closeClient, connectObserver, createScene, setUpWorld } from './scene.ts';
import { openFully, stateOf, verifyLaw } from './verify.ts';

const world = setUpWorld();

const observe = async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  observer.faults.onCall((url) => (url.includes('/delivered') ? 'refuse' : { delayMs: 800 }));
  const message = (id: string) => stateOf(observer, scene.cid)?.messages.find((one) => one.id === id);
  return { scene, observer, message, ref: (id: string) => ({ cid: scene.cid, id }) };
};

test('S9 the reply to an edit does not restore a text that was deleted meanwhile', async () => {
  const { scene, observer, message, ref } = await observe();
  const editing = observer.client.messages.edit(ref(scene.first), { text: 'a secret' });
  await until(() => message(scene.first)?.updated_at !== message(scene.first)?.created_at, 'the edit');
  await scene.ana.remove(scene.first);
  await editing;

  await verifyLaw(scene, observer);
  expect(message(scene.first)).toMatchObject({ type: 'deleted', text: '' });
  await closeClient(observer);
});

test('S9 the reply to a reaction does not restore it when it was removed elsewhere', async () => {
  const { scene, observer, message, ref } = await observe();
  const reacting = observer.client.reactions.add(ref(scene.second), 'like');
  const received = new Promise((resolve) => observer.client.on('reaction.new', resolve));
  await received;
  await scene.ana.unreact(scene.second, 'like');
  await reacting;

  await verifyLaw(scene, observer);
  expect(message(scene.second)).toMatchObject({ own_reactions: [], reaction_counts: {} });
  await closeClient(observer);
});

test('S9 the reply to a send does not restore a message that was removed for good', async () => {
  const { scene, observer, message } = await observe();
  const sending = observer.client.messages.send(scene.cid, { id: crypto.randomUUID(), text: 'gone' });
  const event = await new Promise<{ message: { id: string } }>((resolve) =>
    observer.client.on('message.new', resolve),
  );
  await scene.ana.remove(event.message.id, { hard: true });
  await sending;

  await verifyLaw(scene, observer);
  expect(message(event.message.id)).toBeUndefined();
  await closeClient(observer);
});

test('S9 the reply to a change of the channel does not restore an older name', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world(), { user: 'bo' });
  await openFully(observer, scene);
  observer.faults.onCall(() => ({ delayMs: 800 }));
  const naming = observer.client.channels.patch(scene.cid, { name: 'Older' });
  await until(() => stateOf(observer, scene.cid)?.channel.name === 'Older', 'the event');
  await scene.bo.patch({ name: 'Newer' });
  await naming;

  await until(() => stateOf(observer, scene.cid)?.channel.name !== 'Older', 'the newer name');
  expect(stateOf(observer, scene.cid)?.channel.name).toBe('Newer');
  await closeClient(observer);
});

test('S9 a page that was read before a deletion does not restore the text, nor in a quote', async () => {
  const scene = await createScene(world());
  const quote = await scene.bo.send({ text: 'as you said', quoted_message_id: scene.first });
  for (let count = 0; count < 4; count += 1) await scene.bo.send({ text: `later ${count}` });
  const observer = await connectObserver(world());
  await observer.client.channels.open(scene.type, scene.id, undefined, { messageLimit: 2 });
  observer.faults.onCall((url) => (url.includes('/query') ? { delayMs: 500 } : undefined));
  const received = new Promise((resolve) => observer.client.on('message.deleted', resolve));
  const loading = observer.client.messages.loadOlder(scene.cid, { limit: 50 });
  await new Promise((resolve) => setTimeout(resolve, 250));
  await scene.ana.remove(scene.first);
  await received;
  await loading;

  const messages = stateOf(observer, scene.cid)?.messages ?? [];
  expect(messages.find(({ id }) => id === scene.first)).toMatchObject({ type: 'deleted', text: '' });
  expect(messages.find(({ id }) => id === quote)?.quoted_message).toMatchObject({
    type: 'deleted',
    text: '',
  });
  await closeClient(observer);
});

test('M6 a reply that comes while its thread is being opened stands after the older ones', async () => {
  const { scene, observer } = await observe();
  await scene.bo.send({ text: 'one', parent_id: scene.first });
  await scene.bo.send({ text: 'two', parent_id: scene.first });
  const opening = observer.client.messages.replies.open(scene.cid, scene.first);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await scene.bo.send({ text: 'three', parent_id: scene.first });
  await opening;

  const thread = stateOf(observer, scene.cid)?.threads[scene.first];
  expect(thread?.messages.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  await closeClient(observer);
});
