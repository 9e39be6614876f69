import { within } from '@parley/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyActs, createBook, type Step } from './forgetting.ts';
import { closeClient, connectObserver, createScene, type Person, type Scene, setUpWorld } from './scene.ts';
import { openFully, serverSeq } from './verify.ts';

const world = setUpWorld();
/** A fixed number: a run that ends by the clock checks less the busier the machine is. */
const rounds = Number(process.env.FORGETTING_RUNS ?? 8);

type Reply = { call: string; text: string };

/** Everything a person can ask for about the channel, as text. A refusal says nothing. */
const askAll = async (
  { type, id, cid }: Scene,
  { caller }: Person,
  ids: string[],
  seq: number,
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
    await ask('replies', caller.call('GET /messages/{id}/replies', { path: { id: message } }));
    await ask(
      'history',
      caller.call('POST /messages/history', { body: { filter: { message_id: message } } }),
    );
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
  await ask('drafts', caller.call('POST /drafts/query', { body: {} }));
  await ask('draft', caller.call('GET /channels/{type}/{id}/draft', { path }));
  await ask('polls', caller.call('POST /polls/query', { body: {} }));
  await ask('reminders', caller.call('POST /reminders/query', { body: {} }));
  await ask('locations', caller.call('GET /users/live_locations', {}));
  return replies;
};

const holds = async (steps: Step[]): Promise<void> => {
  const scene = await createScene(world());
  const observer = await connectObserver(world(), { user: 'zed' });
  const frames: string[] = [];
  observer.faults.onFrame((json) => {
    frames.push(json);
    return undefined;
  });
  try {
    await openFully(observer, scene);
    const book = createBook(scene);

    await book.play(steps);

    const seq = await serverSeq(scene);
    for (const person of book.people) {
      const hidden = book.hiddenFrom(person);
      const ids = [...book.said, ...book.pending].map(({ id }) => id);
      for (const { call, text } of await askAll(scene, person, ids, seq))
        for (const mark of hidden)
          if (text.includes(mark) && !(call === 'history' && book.isVersion(mark)))
            expect.fail(`${call} holds ${mark}: ${text}`);
    }
    for (const frame of frames)
      for (const { mark } of book.pending)
        if (frame.includes(mark)) expect.fail(`an event holds ${mark}, which is pending: ${frame}`);
    for (const frame of frames) {
      const at = (JSON.parse(frame) as { seq?: number }).seq ?? 0;
      for (const [mark, since] of book.gone)
        if (at > since && frame.includes(mark))
          expect.fail(`event ${at} holds ${mark}, gone at ${since}: ${frame}`);
    }
  } finally {
    await closeClient(observer);
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
