import { type Caller, createTestChat, createTestClock, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let ana: Caller;
let bo: Caller;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'eve'] });
  for (const type of ['messaging', 'livestream'])
    await chat.admin.channels.create(type, 'room', { created_by_id: 'cy', members: ['ana', 'bo', 'cy'] });
  [ana, bo] = await Promise.all([chat.as('ana'), chat.as('bo')]);
});
afterAll(() => chat.stop());

const send = async (caller: Caller, text = 'hello', type = 'messaging') => {
  const path = { type, id: 'room' };
  const { message } = await caller.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text } },
  });
  return message.id;
};
const patch = (id: string, set: Record<string, unknown>, unset: string[] = []) => ({
  path: { id },
  body: { set, unset },
});
const pinnedIds = async (caller: Caller) => {
  const path = { type: 'messaging', id: 'room' };
  const state = await caller.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  return state.pinned_messages.map(({ id }) => id);
};
const inAMoment = (ms: number) => new Date(Date.now() + ms).toISOString();

test("M4 a pin of another's message says who and when, heads the list, and goes again", async () => {
  const [first, second] = [await send(ana), await send(ana)];

  const { message } = await bo.call('PATCH /messages/{id}', patch(first, { pinned: true }));
  await bo.call('PATCH /messages/{id}', patch(second, { pinned: true }));

  expect(message).toMatchObject({ pinned: true, pinned_by: { id: 'bo' }, pinned_at: expect.any(String) });
  expect((await pinnedIds(ana)).slice(0, 2)).toEqual([second, first]);
  const gone = await ana.call('PATCH /messages/{id}', patch(second, {}, ['pinned']));
  expect(gone.message.pinned).toBe(false);
  expect(gone.message).not.toHaveProperty('pinned_by');
  expect(await pinnedIds(ana)).not.toContain(second);
});

test('M4 a pin is not an edit: to pin again changes nothing, and both may be said at once', async () => {
  const id = await send(ana);
  const once = await ana.call('PATCH /messages/{id}', patch(id, { pinned: true }));
  const twice = await bo.call('PATCH /messages/{id}', patch(id, { pinned: true }));
  const both = await ana.call('PATCH /messages/{id}', patch(id, { pinned: false, text: 'better' }));

  expect(twice.message).toEqual({ ...once.message, own_reactions: [] });
  expect(once.message).not.toHaveProperty('message_text_updated_at');
  expect(both.message).toMatchObject({ pinned: false, text: 'better' });
});

test('M4 a pin ends at its time, everywhere', async () => {
  const clock = createTestClock();
  const own = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
  await own.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const [author, reader] = await Promise.all([own.as('ana'), own.as('bo')]);
  const id = await send(author);
  const pin_expires = new Date(clock.now() + 60_000).toISOString();
  const { message } = await author.call('PATCH /messages/{id}', patch(id, { pinned: true, pin_expires }));
  expect(message.pinned).toBe(true);
  expect(await pinnedIds(reader)).toEqual([id]);

  clock.advance(60_000);

  expect(await pinnedIds(reader)).toEqual([]);
  const after = await reader.call('GET /messages/{id}', { path: { id } });
  expect(after.message.pinned).toBe(false);
  expect(after.message).not.toHaveProperty('pin_expires');
  await own.stop();
});

test('M4 a channel state shows the ten newest pins', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await send(ana, `pin ${n}`));
  for (const id of ids) await ana.call('PATCH /messages/{id}', patch(id, { pinned: true }));

  expect(await pinnedIds(bo)).toEqual(ids.slice(2).reverse());
});

test('M4 pins that are refused', async () => {
  const id = await send(ana);
  const deleted = await send(ana);
  await ana.call('DELETE /messages/{id}', { path: { id: deleted } });
  const live = await send(ana, 'hello', 'livestream');
  const stranger = await chat.as('eve');
  const bad = (set: Record<string, unknown>, unset: string[] = []) =>
    ana.refused('PATCH /messages/{id}', patch(id, set, unset));

  expect(await bo.refused('PATCH /messages/{id}', patch(live, { pinned: true }))).toMatchObject({
    name: 'NotAllowed',
    message: expect.stringContaining('pin-message'),
  });
  expect(await bo.refused('PATCH /messages/{id}', patch(id, { pinned: true, text: 'x' }))).toMatchObject({
    name: 'NotAllowed',
    message: expect.stringContaining('update-message'),
  });
  expect(await stranger.refused('PATCH /messages/{id}', patch(id, { pinned: true }))).toMatchObject({
    name: 'NotAllowed',
  });
  for (const [set, unset] of [
    [{ pinned: 'yes' }, []],
    [{ pinned: true, pin_expires: 'soon' }, []],
    [{ pinned: true, pin_expires: inAMoment(-1000) }, []],
    [{ pin_expires: inAMoment(1000) }, []],
    [{ pinned: true }, ['pinned']],
    [{ pinned_at: inAMoment(0) }, []],
  ] as [Record<string, unknown>, string[]][])
    expect(await bad(set, unset)).toMatchObject({ name: 'InputInvalid' });
  expect(await ana.refused('PATCH /messages/{id}', patch(deleted, { pinned: true }))).toMatchObject({
    name: 'InputInvalid',
  });
});
