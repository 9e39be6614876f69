import type { Poll, PollVote } from '@parley/protocol';
import { type Caller, createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const place = { type: 'messaging', id: 'room' };
let chat: TestChat;
let server: Caller;
let ana: Caller;
let bo: Caller;
let cy: Caller;
/** Belongs to no channel. */
let dee: Caller;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'dee'] });
  const members = ['ana', 'bo', 'cy'];
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members });
  await chat.admin.channels.create('messaging', 'other', { created_by_id: 'bo', members });
  server = await chat.as();
  [ana, bo, cy, dee] = (await Promise.all(['ana', 'bo', 'cy', 'dee'].map((id) => chat.as(id)))) as [
    Caller,
    Caller,
    Caller,
    Caller,
  ];
});
afterAll(() => chat.stop());

const lunch = { name: 'Lunch?', options: [{ text: 'Soup' }, { text: 'Salad' }, { text: 'Bread' }] };

/** A poll of Ana's in a message of hers. */
const ask = async (more: object = {}, at = place) => {
  const { poll } = await ana.call('POST /polls', { body: { ...lunch, ...more } });
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path: at,
    body: { message: { poll_id: poll.id } },
  });
  const options = poll.options.map(({ id }) => id);
  return { poll: poll as Poll, message, options, path: { id: message.id, poll_id: poll.id } };
};
type Asked = Awaited<ReturnType<typeof ask>>;

const vote = async (
  who: Caller,
  { path }: Asked,
  option_id: string,
): Promise<{ vote: PollVote; poll: Poll }> =>
  who.call('POST /messages/{id}/polls/{poll_id}/vote', { path, body: { vote: { option_id } } });
const answer = (who: Caller, { path }: Asked, answer_text: string) =>
  who.call('POST /messages/{id}/polls/{poll_id}/vote', { path, body: { vote: { answer_text } } });
const refusedVote = (who: Caller, { path }: Asked, given: object) =>
  who.refused('POST /messages/{id}/polls/{poll_id}/vote', { path, body: { vote: given } });
const unvote = (who: Caller, { path }: Asked, vote_id: string) =>
  who.call('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', { path: { ...path, vote_id } });
const read = async (who: Caller, { poll }: Asked): Promise<Poll> =>
  (await who.call('GET /polls/{id}', { path: { id: poll.id } })).poll;
const patch = (who: Caller, { poll }: Asked, body: object) =>
  who.call('PATCH /polls/{id}', { path: { id: poll.id }, body });
const refusedPatch = (who: Caller, { poll }: Asked, body: object) =>
  who.refused('PATCH /polls/{id}', { path: { id: poll.id }, body });

test('P1 a poll is made, sent with a message, and read by the members', async () => {
  const asked = await ask({ description: 'On Friday', mood: 'hungry' });

  expect(asked.message).toMatchObject({ poll_id: asked.poll.id, text: '', poll: { name: 'Lunch?' } });
  expect(await read(bo, asked)).toMatchObject({
    name: 'Lunch?',
    description: 'On Friday',
    mood: 'hungry',
    options: [{ text: 'Soup' }, { text: 'Salad' }, { text: 'Bread' }],
    voting_visibility: 'public',
    is_closed: false,
    vote_count: 0,
    own_votes: [],
    created_by: { id: 'ana' },
    message_id: asked.message.id,
  });
  const found = await cy.call('POST /polls/query', { body: { filter: { id: asked.poll.id } } });
  expect(found.polls).toMatchObject([{ id: asked.poll.id, own_votes: [] }]);
});

test('P1 the same id again is the stored poll; of another it is taken', async () => {
  const made = await ana.raw('POST', '/polls', { body: JSON.stringify({ ...lunch, id: 'twice' }) });
  const again = await ana.raw('POST', '/polls', { body: JSON.stringify({ ...lunch, id: 'twice' }) });

  expect([made.status, again.status]).toEqual([201, 200]);
  expect(await bo.refused('POST /polls', { body: { ...lunch, id: 'twice' } })).toMatchObject({ code: 6 });
});

test('P1 before it is sent only its creator and the server see a poll', async () => {
  const { poll } = await ana.call('POST /polls', { body: lunch });
  const path = { id: poll.id };

  expect((await ana.call('GET /polls/{id}', { path })).poll.message_id).toBeUndefined();
  await server.call('GET /polls/{id}', { path });
  expect(await bo.refused('GET /polls/{id}', { path })).toMatchObject({ code: 16 });
  expect(await bo.refused('DELETE /polls/{id}', { path })).toMatchObject({ code: 16 });
  const found = await bo.call('POST /polls/query', { body: { filter: { id: poll.id } } });
  expect(found.polls).toEqual([]);
});

test('P1 a poll is replaced: options keep their votes by their ids, and with an option go its votes', async () => {
  const asked = await ask();
  const [soup = '', salad = ''] = asked.options;
  await vote(bo, asked, soup);
  await vote(cy, asked, salad);

  const { poll } = await ana.call('PUT /polls', {
    body: {
      id: asked.poll.id,
      name: 'Dinner?',
      options: [{ text: 'Rice' }, { id: soup, text: 'Hot soup' }],
    },
  });

  expect(poll).toMatchObject({ name: 'Dinner?', vote_count: 1 });
  expect(poll.options.map(({ text }) => text)).toEqual(['Rice', 'Hot soup']);
  expect(poll.vote_counts_by_option[soup]).toBe(1);
  expect((await read(cy, asked)).own_votes).toEqual([]);
});

test('P1 a poll is partly updated, closed and reopened by its creator', async () => {
  const asked = await ask();
  const [soup = ''] = asked.options;

  expect((await patch(ana, asked, { set: { name: 'Snack?', mood: 'calm' } })).poll).toMatchObject({
    name: 'Snack?',
    mood: 'calm',
  });
  expect((await patch(ana, asked, { set: { is_closed: true } })).poll.is_closed).toBe(true);
  expect(await refusedVote(bo, asked, { option_id: soup })).toMatchObject({
    code: 4,
    message: 'The poll is closed',
  });
  expect((await read(bo, asked)).vote_count).toBe(0);
  expect((await patch(ana, asked, { set: { is_closed: false } })).poll.is_closed).toBe(false);
  expect((await vote(bo, asked, soup)).poll.vote_count).toBe(1);
});

test('P1 options are added, said otherwise, read and deleted', async () => {
  const asked = await ask();
  const path = { id: asked.poll.id };
  const { poll_option } = await ana.call('POST /polls/{id}/options', { path, body: { text: ' Fruit ' } });
  await vote(bo, asked, poll_option.id);
  const at = { ...path, option_id: poll_option.id };

  const { poll } = await ana.call('PUT /polls/{id}/options', {
    path,
    body: { id: poll_option.id, text: 'Apples' },
  });

  expect(poll_option.text).toBe('Fruit');
  expect(poll.options.at(-1)).toEqual({ id: poll_option.id, text: 'Apples' });
  expect(poll.vote_counts_by_option[poll_option.id]).toBe(1);
  const one = await bo.call('GET /polls/{id}/options/{option_id}', { path: at });
  expect(one.poll_option.text).toBe('Apples');
  const gone = await ana.call('DELETE /polls/{id}/options/{option_id}', { path: at });
  expect(gone.poll).toMatchObject({ vote_count: 0 });
  expect(await ana.refused('GET /polls/{id}/options/{option_id}', { path: at })).toMatchObject({ code: 16 });
});

test('P1 a deleted poll is gone from its message, with its votes', async () => {
  const asked = await ask();
  const [soup = ''] = asked.options;
  await vote(bo, asked, soup);

  await ana.call('DELETE /polls/{id}', { path: { id: asked.poll.id } });

  const { message } = await bo.call('GET /messages/{id}', { path: { id: asked.message.id } });
  expect(message.poll_id).toBe(asked.poll.id);
  expect(message.poll).toBeUndefined();
  expect(await refusedVote(bo, asked, { option_id: soup })).toMatchObject({ code: 16 });
  expect(await bo.refused('GET /polls/{id}', { path: { id: asked.poll.id } })).toMatchObject({ code: 16 });
});

test('P1 nobody puts a poll into the message of another by the id of one that was deleted', async () => {
  const asked = await ask();
  const { id } = asked.poll;
  await ana.call('DELETE /polls/{id}', { path: { id } });
  await dee.call('POST /polls', { body: { ...lunch, id, name: 'Forged' } });
  const shown = async () =>
    (await bo.call('GET /messages/{id}', { path: { id: asked.message.id } })).message.poll;
  expect(await shown()).toBeUndefined();

  await chat.admin.channels.create('messaging', 'own', { created_by_id: 'dee', members: ['dee'] });
  const { message } = await dee.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'own' },
    body: { message: { poll_id: id } },
  });

  expect(await shown()).toBeUndefined();
  expect(message.poll?.name).toBe('Forged');
});

test('P1 others change no poll, but moderators do; strangers see none', async () => {
  const asked = await ask();
  const path = { id: asked.poll.id };

  expect(await refusedPatch(bo, asked, { set: { is_closed: true } })).toMatchObject({ code: 17 });
  expect(await bo.refused('PUT /polls', { body: { ...lunch, id: path.id } })).toMatchObject({ code: 17 });
  expect(await bo.refused('DELETE /polls/{id}', { path })).toMatchObject({ code: 17 });
  expect(await bo.refused('POST /polls/{id}/options', { path, body: { text: 'x' } })).toMatchObject({
    code: 17,
  });
  expect(await dee.refused('GET /polls/{id}', { path })).toMatchObject({ code: 17 });
  expect(await dee.refused('POST /polls/{id}/votes', { path, body: {} })).toMatchObject({ code: 17 });
  await server.call('POST /channels/{type}/{id}', { path: place, body: { add_moderators: ['cy'] } });
  expect((await patch(cy, asked, { set: { is_closed: true } })).poll.is_closed).toBe(true);
  await server.call('POST /channels/{type}/{id}', { path: place, body: { demote_moderators: ['cy'] } });
});

test('P1 a message carries only a poll of its author that no other message carries', async () => {
  const asked = await ask();
  const send = (who: Caller, poll_id: string) =>
    who.refused('POST /channels/{type}/{id}/message', { path: place, body: { message: { poll_id } } });

  for (const [who, id] of [
    [ana, asked.poll.id] as const,
    [bo, asked.poll.id] as const,
    [ana, 'none'] as const,
  ])
    expect(await send(who, id)).toMatchObject({ code: 4, details: [{ path: 'message.poll_id' }] });
  const { poll } = await ana.call('POST /polls', { body: lunch });
  const both = await Promise.all(
    [1, 2].map(() =>
      ana.raw('POST', '/channels/messaging/room/message', {
        body: JSON.stringify({ message: { poll_id: poll.id } }),
      }),
    ),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
});

test('P1 polls need the right to make them, and go with their message', async () => {
  await chat.admin.channels.create('livestream', 'show', { created_by_id: 'ana', members: [] });
  await server.call('PUT /channeltypes/{name}', { path: { name: 'livestream' }, body: { polls: false } });
  const { poll } = await ana.call('POST /polls', { body: lunch });
  const body = { message: { poll_id: poll.id } };
  const there = { type: 'livestream', id: 'show' };
  expect(await ana.refused('POST /channels/{type}/{id}/message', { path: there, body })).toMatchObject({
    code: 17,
  });

  const asked = await ask();
  await ana.call('DELETE /messages/{id}', { path: { id: asked.message.id } });
  const [soup = ''] = asked.options;
  expect(await refusedVote(bo, asked, { option_id: soup })).toMatchObject({ code: 16 });
  expect(await bo.refused('GET /polls/{id}', { path: { id: asked.poll.id } })).toMatchObject({ code: 16 });
  await ana.call('POST /messages/{id}/undelete', { path: { id: asked.message.id }, body: {} });
  expect((await vote(bo, asked, soup)).poll.vote_count).toBe(1);
});

test('P2 a vote counts, is own to who cast it, and is taken back', async () => {
  const asked = await ask();
  const [soup = '', salad = ''] = asked.options;

  const first = await vote(bo, asked, soup);
  const second = await vote(bo, asked, salad);

  expect(first.vote).toMatchObject({ option_id: soup, is_answer: false, user_id: 'bo' });
  expect(second.poll).toMatchObject({ vote_count: 2, vote_counts_by_option: { [soup]: 1, [salad]: 1 } });
  expect(second.poll.own_votes?.map(({ option_id }) => option_id).sort()).toEqual([soup, salad].sort());
  expect((await read(ana, asked)).own_votes).toEqual([]);
  expect((await read(ana, asked)).latest_votes_by_option[soup]).toMatchObject([{ user: { id: 'bo' } }]);
  expect((await unvote(bo, asked, first.vote.id)).poll).toMatchObject({
    vote_count: 1,
    own_votes: [{ option_id: salad }],
  });
});

test('P2 in a poll of one vote the new one takes the place of the old', async () => {
  const asked = await ask({ enforce_unique_vote: true });
  const [soup = '', salad = ''] = asked.options;

  await vote(bo, asked, soup);
  const { poll } = await vote(bo, asked, salad);

  expect(poll).toMatchObject({ vote_count: 1, vote_counts_by_option: { [soup]: 0, [salad]: 1 } });
});

test('P2 no more votes than allowed, also when they come at once', async () => {
  const asked = await ask({ max_votes_allowed: 2 });

  const replies = await Promise.all(
    asked.options.map((option_id) =>
      bo.raw('POST', `/messages/${asked.message.id}/polls/${asked.poll.id}/vote`, {
        body: JSON.stringify({ vote: { option_id } }),
      }),
    ),
  );

  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 400]);
  expect(replies.find(({ status }) => status === 400)?.body).toMatchObject({
    code: 4,
    message: 'You may choose at most 2 options',
    details: [{ path: 'vote.option_id' }],
  });
  expect(await read(bo, asked)).toMatchObject({ vote_count: 2 });
});

test('P2 the same vote twice at once is one vote', async () => {
  const asked = await ask();
  const [soup = ''] = asked.options;

  const replies = await Promise.all([1, 2, 3, 4].map(() => vote(bo, asked, soup)));

  expect(new Set(replies.map(({ vote: { id } }) => id)).size).toBe(1);
  expect(await read(bo, asked)).toMatchObject({ vote_count: 1 });
});

test('P2 votes on foreign options, other messages, by strangers or of nothing change nothing', async () => {
  const asked = await ask();
  const other = await ask({}, { type: 'messaging', id: 'other' });
  const [soup = ''] = asked.options;
  const mixed = { ...asked, path: { id: other.message.id, poll_id: asked.poll.id } };

  expect(await refusedVote(bo, asked, { option_id: other.options[0] })).toMatchObject({
    code: 4,
    details: [{ path: 'vote.option_id' }],
  });
  expect(await refusedVote(bo, mixed, { option_id: soup })).toMatchObject({ code: 16 });
  expect(await refusedVote(dee, asked, { option_id: soup })).toMatchObject({ code: 17 });
  for (const given of [{}, { option_id: soup, answer_text: 'x' }, { answer_text: 'x' }, { option_id: 7 }])
    expect(await refusedVote(bo, asked, given)).toMatchObject({ code: 4 });
  expect(await read(bo, asked)).toMatchObject({ vote_count: 0, answers_count: 0 });
});

test('P2 nobody takes back the vote of another, or a vote of a closed poll', async () => {
  const asked = await ask();
  const [soup = ''] = asked.options;
  const { vote: cast } = await vote(bo, asked, soup);
  const path = { ...asked.path, vote_id: cast.id };
  const refused = (who: Caller) =>
    who.refused('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', { path });

  expect(await refused(cy)).toMatchObject({ code: 16 });
  await patch(ana, asked, { set: { is_closed: true } });
  expect(await refused(bo)).toMatchObject({ code: 4, message: 'The poll is closed' });
  expect(await read(bo, asked)).toMatchObject({ vote_count: 1 });
});

test('P2 answers: one of each person, changed by the next, listed by is_answer', async () => {
  const asked = await ask({ allow_answers: true });
  const [soup = ''] = asked.options;
  await vote(bo, asked, soup);
  await answer(bo, asked, 'Anything');
  const changed = await answer(bo, asked, '  Anything warm ');
  await answer(cy, asked, 'Nothing');

  const path = { id: asked.poll.id };
  const answers = await ana.call('POST /polls/{id}/votes', { path, body: { filter: { is_answer: true } } });
  const votes = await ana.call('POST /polls/{id}/votes', { path, body: { filter: { is_answer: false } } });

  expect(changed.vote).toMatchObject({ is_answer: true, answer_text: 'Anything warm' });
  expect(answers.votes.map(({ answer_text, user }) => [user?.id, answer_text])).toEqual([
    ['cy', 'Nothing'],
    ['bo', 'Anything warm'],
  ]);
  expect(votes.votes).toMatchObject([{ option_id: soup, user_id: 'bo' }]);
  expect(await read(ana, asked)).toMatchObject({ answers_count: 2, vote_count: 1 });
  expect(await refusedVote(bo, asked, { answer_text: ' \u200b ' })).toMatchObject({ code: 4 });
});

test('P2 an anonymous poll shows nobody who voted: not in replies, lists, events or filters', async () => {
  const asked = await ask({ voting_visibility: 'anonymous', allow_answers: true });
  const [soup = ''] = asked.options;
  const path = { id: asked.poll.id };
  await vote(bo, asked, soup);
  await answer(bo, asked, 'secret');
  const seenBy = (who: Caller) =>
    Promise.all([
      read(who, asked),
      who.call('GET /messages/{id}', { path: { id: asked.message.id } }),
      who.call('POST /polls/{id}/votes', { path, body: {} }),
      who.call('POST /polls/query', { body: { filter: { id: asked.poll.id } } }),
      who
        .call('POST /sync', { body: { cursors: { 'messaging:room': 0 } } })
        .then(({ events }) => events.filter((event) => JSON.stringify(event).includes(asked.poll.id))),
    ]);

  for (const who of [ana, cy]) expect(JSON.stringify(await seenBy(who))).not.toContain('"bo"');
  const own = await bo.call('POST /polls/{id}/votes', { path, body: {} });
  expect(own.votes.every(({ user_id }) => user_id === 'bo')).toBe(true);
  for (const filter of [{ user_id: 'bo' }, { $or: [{ user_id: { $in: ['bo'] } }] }])
    expect(await ana.refused('POST /polls/{id}/votes', { path, body: { filter } })).toMatchObject({
      code: 4,
    });
  expect(await refusedPatch(ana, asked, { set: { voting_visibility: 'public' } })).toMatchObject({
    code: 4,
    details: [{ path: 'set.voting_visibility' }],
  });
});

test('P2 votes are listed newest first, in pages, by option', async () => {
  const names = Array.from({ length: 23 }, (_, index) => `voter-${String(index).padStart(2, '0')}`);
  await chat.admin.users.upsert(names.map((id) => ({ id })));
  await server.call('POST /channels/{type}/{id}', { path: place, body: { add_members: names } });
  const asked = await ask();
  const [soup = '', salad = ''] = asked.options;
  for (const [index, name] of names.entries())
    await vote(await chat.as(name), asked, index % 2 === 0 ? soup : salad);

  const seen: (string | undefined)[] = [];
  let next: string | undefined;
  do {
    const page = await ana.call('POST /polls/{id}/votes', {
      path: { id: asked.poll.id },
      body: { filter: { option_id: soup }, limit: 5, ...(next ? { next } : {}) },
    });
    seen.push(...page.votes.map(({ user_id }) => user_id));
    next = page.next;
  } while (next);

  expect(seen).toEqual(names.filter((_, index) => index % 2 === 0).toReversed());
  expect((await read(ana, asked)).latest_votes_by_option[soup]).toHaveLength(3);
});

test('P3 the server refuses in the words of the composer', async () => {
  const make = (body: object) => ana.refused('POST /polls', { body });

  for (const name of [undefined, '', '  \u200b'])
    expect(await make({ ...lunch, name })).toMatchObject({
      code: 4,
      message: 'Question is required',
      details: [{ path: 'name', message: 'Question is required' }],
    });
  for (const text of [undefined, '', ' \t'])
    expect(await make({ ...lunch, options: [{ text: 'A' }, { text }] })).toMatchObject({
      message: 'Option is empty',
      details: [{ path: 'options.1.text' }],
    });
  expect(await make({ ...lunch, options: [{ text: 'Tea' }, { text: ' tea ' }] })).toMatchObject({
    message: 'Option already exists',
    details: [{ path: 'options.1.text' }],
  });
  expect(await make({ ...lunch, options: [] })).toMatchObject({ message: 'Option is empty' });
  for (const max_votes_allowed of [0, 1, 11, 2.5, '3', -2, true, 1e9])
    expect(await make({ ...lunch, max_votes_allowed })).toMatchObject({
      message: 'Type a number from 2 to 10',
      details: [{ path: 'max_votes_allowed' }],
    });
});

test('P3 updates and single options are held to the same rules', async () => {
  const asked = await ask();
  const path = { id: asked.poll.id };
  const add = (text?: string) => ana.refused('POST /polls/{id}/options', { path, body: { text } });

  expect(await refusedPatch(ana, asked, { set: { name: ' ' } })).toMatchObject({
    message: 'Question is required',
    details: [{ path: 'set.name' }],
  });
  expect(await refusedPatch(ana, asked, { unset: ['name'] })).toMatchObject({
    message: 'Question is required',
  });
  expect(await refusedPatch(ana, asked, { set: { max_votes_allowed: 1 } })).toMatchObject({
    message: 'Type a number from 2 to 10',
  });
  expect(await add('')).toMatchObject({ message: 'Option is empty', details: [{ path: 'text' }] });
  expect(await add()).toMatchObject({ message: 'Option is empty' });
  expect(await add('SOUP')).toMatchObject({ message: 'Option already exists', details: [{ path: 'text' }] });
  expect(
    await ana.refused('PUT /polls/{id}/options', { path, body: { id: asked.options[0], text: 'Salad' } }),
  ).toMatchObject({ message: 'Option already exists' });
  expect(await refusedPatch(ana, asked, { set: { vote_count: 5 } })).toMatchObject({
    details: [{ path: 'set.vote_count' }],
  });
  expect((await read(ana, asked)).options).toHaveLength(3);
});

test('P1 suggestions: who may vote adds options where they are welcome, and only there', async () => {
  const asked = await ask({ allow_user_suggested_options: true });
  const path = { id: asked.poll.id };

  const { poll } = await bo.call('POST /polls/{id}/options', { path, body: { text: 'Pizza' } });

  expect(poll.options.at(-1)?.text).toBe('Pizza');
  expect(await dee.refused('POST /polls/{id}/options', { path, body: { text: 'Cake' } })).toMatchObject({
    code: 17,
  });
  await patch(ana, asked, { set: { is_closed: true } });
  expect(await bo.refused('POST /polls/{id}/options', { path, body: { text: 'Cake' } })).toMatchObject({
    code: 4,
    message: 'The poll is closed',
  });
});
