import { ownAnswer, ownVoteFor, type Poll, type Polls, polls as pollsFeature } from '@parley/client/polls';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
let anas: Polls;
let bos: Polls;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  ana = await chat.connect('ana');
  bo = await chat.connect('bo');
  for (const { client } of [ana, bo]) await client.channels.open('messaging', 'room');
  anas = ana.client.feature(pollsFeature);
  bos = bo.client.feature(pollsFeature);
});
afterAll(() => chat.stop());

const carrier = ({ client }: TestClient, { id }: Poll) =>
  client.channels
    .state(cid)
    .get()
    ?.messages.find(({ poll_id }) => poll_id === id);

/** A poll of Ana's, at Bo. */
const ask = async (more: object = {}) => {
  const options = ['a', 'b'].map((id) => ({ id, text: `Option ${id}` }));
  const poll = await anas.send(cid, { name: 'Which?', options, ...more });
  await until(() => carrier(bo, poll)?.poll !== undefined, 'the poll at Bo');
  const message = carrier(bo, poll);
  if (!message) throw new Error('The poll did not arrive');
  return { poll, message, view: () => (carrier(bo, poll) ?? message).poll };
};

test('P2 a vote shows at once, is confirmed by the reply, and reaches the others', async () => {
  const { poll, message, view } = await ask();

  const cast = bos.vote(message, poll.id, 'a');
  expect(view()).toMatchObject({ vote_count: 1, vote_counts_by_option: { a: 1, b: 0 } });
  const { id } = await cast;

  expect(ownVoteFor(view() ?? poll, 'a')?.id).toBe(id);
  await until(() => carrier(ana, poll)?.poll?.vote_count === 1, 'the vote at Ana');
  expect(carrier(ana, poll)?.poll?.own_votes).toEqual([]);
  await bos.unvote(message, poll.id, id);
  expect(view()).toMatchObject({ vote_count: 0, own_votes: [] });
});

test('P2 a refused vote is taken back from what is shown', async () => {
  const { poll, message, view } = await ask();
  await anas.close(poll.id);

  const cast = bos.vote(message, poll.id, 'a');
  await expect(cast).rejects.toMatchObject({ name: 'InputInvalid', message: 'The poll is closed' });

  expect(view()?.vote_count).toBe(0);
  await until(() => view()?.is_closed === true, 'the close at Bo');
  expect((await anas.reopen(await anas.get(poll.id))).is_closed).toBe(false);
});

test('P2 an own vote arrives on the other devices, and after a time without network', async () => {
  const other = await chat.connect('bo');
  await other.client.channels.open('messaging', 'room');
  const { poll, message } = await ask({ voting_visibility: 'anonymous' });
  const ownAt = () => carrier(other, poll)?.poll?.own_votes?.map(({ option_id }) => option_id);

  await bos.vote(message, poll.id, 'a');
  await until(() => ownAt()?.join() === 'a', 'the vote on the other device');
  other.faults.goOffline();
  await bos.vote(message, poll.id, 'b');
  other.faults.restore();

  await until(() => ownAt()?.join() === 'a,b', 'the second vote on the other device');
});

test('P2 answers, options and queries by the client', async () => {
  const { poll, message, view } = await ask({ allow_answers: true, allow_user_suggested_options: true });

  await bos.answer(message, poll.id, 'Neither');
  const added = await bos.options.add(poll.id, 'Both');

  expect(ownAnswer(view() ?? poll)?.answer_text).toBe('Neither');
  expect((await anas.answers(poll.id)).votes).toMatchObject([{ answer_text: 'Neither', user_id: 'bo' }]);
  expect(await anas.options.get(poll.id, added.id)).toEqual(added);
  expect((await anas.options.update(poll.id, { ...added, text: 'All' })).text).toBe('All');
  await anas.options.delete(poll.id, added.id);
  expect((await bos.query({ filter: { id: poll.id } })).polls[0]?.options).toHaveLength(2);
  expect((await anas.update({ id: poll.id, name: 'Now?', options: poll.options })).name).toBe('Now?');
  await anas.delete(poll.id);
  await until(() => carrier(bo, poll)?.poll === undefined, 'the poll to go at Bo');
});

test('P2 a vote changes the message of its poll and no other: every other row keeps its object', async () => {
  const first = await ask();
  const second = await ask();
  const seen = { first: new Set<unknown>(), second: new Set<unknown>() };
  const look = () => {
    seen.first.add(carrier(bo, first.poll));
    seen.second.add(carrier(bo, second.poll));
  };
  look();
  const stop = bo.client.channels.state(cid).subscribe(look);

  await bos.vote(first.message, first.poll.id, 'a');
  await until(() => carrier(bo, first.poll)?.poll?.vote_count === 1, 'the vote');
  await anas.vote(first.message, first.poll.id, 'b');
  await until(() => carrier(bo, first.poll)?.poll?.vote_count === 2, 'the vote of Ana');
  stop();

  expect(seen.first.size).toBeGreaterThan(2);
  expect(seen.second.size).toBe(1);
});
