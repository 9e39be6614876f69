import { selectReactions } from '@parley/client';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
const people = Array.from({ length: 25 }, (_, index) => `user-${String(index).padStart(2, '0')}`);
let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', ...people] });
  const members = ['ana', 'bo', ...people];
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members });
  ana = await chat.connect('ana');
  bo = await chat.connect('bo');
  await ana.client.channels.open('messaging', 'room');
  await bo.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const say = (text = 'react to me') => ana.client.messages.send(cid, { text });
const at = ({ client }: TestClient, id: string) =>
  client.channels
    .state(cid)
    .get()
    ?.messages.find((message) => message.id === id);

test('M5 a reaction counts, is own to who gave it, and is seen by the others', async () => {
  const message = await say();

  const replied = await bo.client.reactions.add(message, 'like');

  expect(replied).toMatchObject({
    reaction_counts: { like: 1 },
    reaction_scores: { like: 1 },
    own_reactions: [{ type: 'like', user_id: 'bo' }],
  });
  await until(() => at(ana, message.id)?.reaction_counts.like === 1, 'the reaction at Ana');
  expect(at(ana, message.id)?.own_reactions ?? []).toEqual([]);
  expect(at(bo, message.id)?.own_reactions).toMatchObject([{ type: 'like' }]);
  expect(selectReactions(await bo.client.messages.get(message.id))).toEqual([
    { type: 'like', count: 1, score: 1, isOwn: true },
  ]);
});

test('M5 the same reaction again updates its score and does not count twice', async () => {
  const message = await say();

  await bo.client.reactions.add(message, 'clap', { score: 3 });
  const again = await bo.client.reactions.add(message, 'clap', { score: 10 });
  const both = await ana.client.reactions.add(message, 'clap', { score: 5 });

  expect(again).toMatchObject({ reaction_counts: { clap: 1 }, reaction_scores: { clap: 10 } });
  expect(both).toMatchObject({
    reaction_counts: { clap: 2 },
    reaction_scores: { clap: 15 },
    reaction_groups: { clap: { count: 2, sum_scores: 15 } },
  });
});

test('M5 several of one person count each; a unique one takes the place of the others', async () => {
  const message = await say();
  await bo.client.reactions.add(message, 'like');
  const two = await bo.client.reactions.add(message, 'love');
  expect(two.reaction_counts).toEqual({ like: 1, love: 1 });

  const one = await bo.client.reactions.add(message, 'wow', { unique: true });

  expect(one.reaction_counts).toEqual({ wow: 1 });
  await until(() => at(ana, message.id)?.reaction_counts.wow === 1, 'the unique one at Ana');
  expect(at(ana, message.id)?.reaction_counts).toEqual({ wow: 1 });
});

test('M5 a reaction is taken back, once', async () => {
  const message = await say();
  await bo.client.reactions.add(message, 'like');

  const without = await bo.client.reactions.delete(message, 'like');

  expect(without).toMatchObject({ reaction_counts: {}, own_reactions: [] });
  await until(() => at(ana, message.id)?.latest_reactions.length === 0, 'none at Ana');
  await expect(bo.client.reactions.delete(message, 'like')).rejects.toMatchObject({ name: 'NotFound' });
  await expect(ana.client.reactions.delete(message, 'like')).rejects.toMatchObject({ name: 'NotFound' });
});

test('M5 reactions are listed newest first, in pages, by type', async () => {
  const message = await say();
  for (const [index, id] of people.entries()) {
    const raw = await chat.as(id);
    const reaction = { type: index % 2 ? 'like' : 'love' };
    await raw.call('POST /messages/{id}/reaction', { path: { id: message.id }, body: { reaction } });
  }

  const seen: string[] = [];
  let next: string | undefined;
  do {
    const page = await ana.client.reactions.query(message.id, { limit: 10, ...(next ? { next } : {}) });
    seen.push(...page.reactions.map(({ user_id }) => user_id));
    next = page.next;
  } while (next);
  const likes = await ana.client.reactions.query(message.id, { filter: { type: 'like' }, limit: 100 });

  expect(seen).toEqual([...people].reverse());
  expect(likes.reactions).toHaveLength(12);
  expect(likes.reactions[0]?.user?.id).toBe('user-23');
  expect((await ana.client.messages.get(message.id)).latest_reactions).toHaveLength(10);
});

test('M5 counts and scores are exact when all react at once', async () => {
  const message = await say();
  const callers = await Promise.all(people.map((id) => chat.as(id)));
  const path = { id: message.id };

  await Promise.all(
    callers.flatMap((raw, index) => [
      raw.call('POST /messages/{id}/reaction', {
        path,
        body: { reaction: { type: 'like', score: index + 1 } },
      }),
      raw.call('POST /messages/{id}/reaction', { path, body: { reaction: { type: 'love' } } }),
    ]),
  );
  await Promise.all(
    callers
      .slice(0, 5)
      .map((raw) => raw.call('DELETE /messages/{id}/reaction/{type}', { path: { ...path, type: 'love' } })),
  );

  const after = await ana.client.messages.get(message.id);
  expect(after.reaction_counts).toEqual({ like: 25, love: 20 });
  expect(after.reaction_scores).toEqual({ like: 325, love: 20 });
  await until(() => at(bo, message.id)?.reaction_counts.love === 20, 'the counts at Bo');
  expect(at(bo, message.id)?.reaction_counts).toEqual({ like: 25, love: 20 });
});

test('M5 reactions to nothing, to a deleted message, of a bad type or score are refused', async () => {
  const message = await say();
  const raw = await chat.as('bo');
  const react = (id: string, reaction: object) =>
    raw.refused('POST /messages/{id}/reaction', { path: { id }, body: { reaction } });

  expect(await react('nowhere', { type: 'like' })).toMatchObject({ code: 16 });
  for (const type of ['', 'a b', 'a/b', 'x'.repeat(33), 7])
    expect(await react(message.id, { type })).toMatchObject({ code: 4 });
  for (const score of [0, 1001, 1.5, '1'])
    expect(await react(message.id, { type: 'like', score })).toMatchObject({ code: 4 });
  expect(await react(message.id, { type: 'like', user_id: 'ana' })).toMatchObject({
    code: 4,
    details: [{ path: 'reaction.user_id' }],
  });
  await ana.client.messages.delete(message);
  expect(await react(message.id, { type: 'like' })).toMatchObject({ code: 16 });
});

test('M5 a person gives a message at most 20 kinds of reactions; a kind that is there may be given again', async () => {
  const message = await say();
  const raw = await chat.as('bo');
  const path = { id: message.id };
  for (let n = 0; n < 20; n += 1)
    await raw.call('POST /messages/{id}/reaction', { path, body: { reaction: { type: `k${n}` } } });

  const refusal = await raw.refused('POST /messages/{id}/reaction', {
    path,
    body: { reaction: { type: 'k20' } },
  });
  await raw.call('POST /messages/{id}/reaction', { path, body: { reaction: { type: 'k0', score: 2 } } });

  expect(refusal).toMatchObject({ code: 4, details: [{ path: 'reaction.type' }] });
  expect(Object.keys((await ana.client.messages.get(message.id)).reaction_counts)).toHaveLength(20);
});

test('M5 a message has at most 100 kinds of reactions in all', async () => {
  const message = await say();
  const path = { id: message.id };
  const react = async (userId: string, type: string) =>
    (await chat.as(userId)).raw('POST', `/messages/${path.id}/reaction`, {
      body: JSON.stringify({ reaction: { type } }),
    });
  for (let n = 0; n < 100; n += 1)
    expect((await react(people[Math.floor(n / 20)] ?? '', `kind-${n}`)).status).toBe(201);

  const refused = await react('user-05', 'kind-100');
  const joined = await react('user-05', 'kind-0');

  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'reaction.type' }] } });
  expect(joined.status).toBe(201);
});

test('M5 an emoji and a word from the depths of JavaScript are types like any other', async () => {
  const message = await say();

  await bo.client.reactions.add(message, '👍🏽');
  const replied = await bo.client.reactions.add(message, 'constructor');

  expect(replied.reaction_counts).toEqual({ '👍🏽': 1, constructor: 1 });
  await until(() => at(ana, message.id)?.latest_reactions.length === 2, 'both at Ana');
  expect((await bo.client.reactions.delete(message, '👍🏽')).reaction_counts).toEqual({ constructor: 1 });
});
