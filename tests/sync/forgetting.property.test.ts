import { until, within } from '@parley/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyActs, type Book, createBook, type Step } from './forgetting.ts';
import { closeClient, connectObserver, createScene, type Person, type Scene, setUpWorld } from './scene.ts';
import { openFully, serverSeq } from './verify.ts';

const world = setUpWorld();
/** A fixed number: a run that ends by the clock checks less the busier the machine is. */
const rounds = Number(process.env.FORGETTING_RUNS ?? 8);

const names = ['ana', 'bo', 'cy', 'zed'];

type Reply = { call: string; text: string };

/** Everything a person can ask for about the channel, as text. A refusal says nothing. */
const askAll = async (
  { type, id, cid }: Scene,
  { caller }: Person,
  { ids, polls, seq }: { ids: string[]; polls: string[]; seq: number },
): Promise<Reply[]> => {
  const path = { type, id };
  const replies: Reply[] = [];
  const ask = async (call: string, asked: Promise<unknown>) => {
    const reply = await asked.catch(() => ({}));
    replies.push({ call, text: JSON.stringify(reply) });
  };
  for (let from = 0; from <= seq; from += from < seq - 6 ? 5 : 1)
    await ask(`sync from ${from}`, caller.call('POST /sync', { body: { cursors: { [cid]: from } } }));
  await ask(
    'query',
    caller.call('POST /channels/{type}/{id}/query', { path, body: { messages: { limit: 100 } } }),
  );
  await ask('list', caller.call('POST /channels', { body: { filter: { cid } } }));
  for (const message of ids) {
    await ask('message', caller.call('GET /messages/{id}', { path: { id: message } }));
    await ask('thread', caller.call('GET /threads/{message_id}', { path: { message_id: message } }));
    await ask('replies', caller.call('GET /messages/{id}/replies', { path: { id: message } }));
    await ask(
      'history',
      caller.call('POST /messages/history', { body: { filter: { message_id: message } } }),
    );
  }
  for (const poll of polls) {
    await ask('poll', caller.call('GET /polls/{id}', { path: { id: poll } }));
    await ask('votes', caller.call('POST /polls/{id}/votes', { path: { id: poll }, body: {} }));
  }
  if (ids.length > 0)
    await ask(
      'messages',
      caller.call('GET /channels/{type}/{id}/messages', { path, query: { ids: ids.join(',') } }),
    );
  await ask(
    'search',
    caller.call('POST /search', { body: { filter: { cid }, query: `mk${id.slice(0, 6)}` } as never }),
  );
  await ask('threads', caller.call('POST /threads', { body: {} }));
  await ask('members', caller.call('POST /members/query', { body: { type, id } }));
  await ask('scheduled', caller.call('POST /scheduled_messages/query', { body: {} }));
  await ask('unread', caller.call('GET /unread', {}));
  await ask('explained', caller.call('GET /channels/{type}/{id}/unread/explain', { path }));
  await ask('drafts', caller.call('POST /drafts/query', { body: {} }));
  await ask('draft', caller.call('GET /channels/{type}/{id}/draft', { path }));
  await ask('polls', caller.call('POST /polls/query', { body: {} }));
  await ask('reminders', caller.call('POST /reminders/query', { body: {} }));
  await ask('locations', caller.call('GET /users/live_locations', {}));
  return replies;
};

/** A connection of a reader, with every event that came over it. */
const follow = async (scene: Scene, user: string) => {
  const observer = await connectObserver(world(), { user });
  const frames: string[] = [];
  observer.faults.onFrame((json) => {
    frames.push(json);
    return undefined;
  });
  await openFully(observer, scene);
  return { observer, user, frames };
};

/** An event about the reader comes after all others that were published before. */
const untilAllCame = async (followers: Awaited<ReturnType<typeof follow>>[]): Promise<void> => {
  const last = crypto.randomUUID();
  await world().chat.admin.users.upsert(followers.map(({ user }) => ({ id: user, last })));
  for (const { user, frames } of followers)
    await until(
      () => frames.some((json) => json.startsWith('{"type":"user.updated"') && json.includes(last)),
      `the last event of ${user}`,
    );
};

const checkFrames = (frames: string[], person: Person, book: Book): void => {
  for (const json of frames) {
    const { seq = 0, created_at } = JSON.parse(json) as { seq?: number; created_at?: string };
    const hidden = created_at === undefined ? book.hiddenFrom(person) : book.hiddenAt(person, created_at);
    for (const mark of hidden)
      if (json.includes(mark)) expect.fail(`an event holds ${mark}, which is hidden: ${json}`);
    for (const [mark, since] of book.gone)
      if (seq > since && json.includes(mark))
        expect.fail(`an event holds ${mark}, gone at ${since}: ${json}`);
  }
};

const holds = async (steps: Step[]): Promise<void> => {
  const scene = await createScene(world());
  const followers = await Promise.all(names.map((user) => follow(scene, user)));
  try {
    const book = createBook(scene);

    await book.play(steps);
    await untilAllCame(followers);

    const seq = await serverSeq(scene);
    const sent = [...book.said, ...book.pending];
    const asked = { ids: sent.map(({ id }) => id), polls: sent.flatMap(({ poll }) => poll ?? []), seq };
    for (const [index, person] of book.readers.entries()) {
      checkFrames(followers[index]?.frames ?? [], person, book);
      const hidden = book.hiddenFrom(person);
      for (const { call, text } of await askAll(scene, person, asked))
        for (const mark of hidden)
          if (text.includes(mark) && !(call === 'history' && book.isVersion(mark) && !book.away.has(person)))
            expect.fail(`${call} of ${names[index]} holds ${mark}: ${text}`);
    }
  } finally {
    await Promise.all(followers.map(({ observer }) => closeClient(observer)));
  }
};

test('S26 after any history no reply and no later event holds a text that its reader may no longer see', async () => {
  await fc.assert(
    fc.asyncProperty(anyActs, async (steps) => {
      await within(holds(steps), 'the end of a history');
    }),
    { numRuns: rounds, ...(process.env.FORGETTING_RUNS === undefined ? { seed: 20_261_116 } : {}) },
  );
}, 3_600_000);

test('S26 an edit of a cleared message that is quoted shows its new text, and nothing of what it quotes itself', async () => {
  await holds([
    { kind: 'say', who: 0, pick: 0 },
    { kind: 'say', who: 0, pick: 0 },
    { kind: 'quote', who: 0, pick: 0 },
    { kind: 'clear', who: 1, pick: 0 },
    { kind: 'edit', who: 0, pick: 2 },
    { kind: 'quote', who: 0, pick: 2 },
  ]);
});

test.each(['clear', 'leave'] as const)(
  'S26 drafts, notes, pending and scheduled messages show nothing of what their owner may no longer read: %s',
  async (kind) => {
    const own = { who: 1, pick: 0 };
    const others = { who: 0, pick: 0 };
    await holds([
      { kind: 'say', ...others },
      { kind: 'reply', ...others },
      { kind: 'title', ...others },
      { kind: 'poll', ...others },
      { kind: 'answer', ...own },
      { kind: 'draft', ...own },
      { kind: 'note', ...own },
      { kind: 'pend', ...own },
      { kind: 'schedule', ...own },
      { kind, ...own },
      { kind: 'edit', ...others },
      { kind: 'answer', ...others },
      { kind: 'title', ...others },
      { kind: 'reply', ...others },
      { kind: 'reword', ...own },
    ]);
  },
);
