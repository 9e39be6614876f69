import { commands as commandsFeature, parseCommand } from '@parley/client/commands';
import { mentions as mentionsFeature } from '@parley/client/mentions';
import { createTestChat, type TestChat, type TestClient } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
const path = { type: 'messaging', id: 'room' };
let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  ana = await chat.connect('ana');
  bo = await chat.connect('bo');
  await ana.client.channels.open('messaging', 'room');
  await bo.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const commandsOf = ({ client }: TestClient) => client.feature(commandsFeature);

test('M7 commands of the app: made, replaced, listed and deleted by the server alone', async () => {
  const server = await chat.as();
  const user = await chat.as('ana');
  const body = { name: 'weather', description: 'The sky over a place', args: 'place', set: 'fun' };

  const { command } = await server.call('POST /commands', { body });
  expect(command).toMatchObject({ ...body, custom: true });
  const { commands } = await user.call('GET /commands');
  expect(commands.map(({ name }) => name)).toEqual([
    'invite',
    'me',
    'poll',
    'remind',
    'shrug',
    'topic',
    'weather',
  ]);
  const one = { path: { name: 'weather' } };
  await server.call('PUT /commands/{name}', { ...one, body: { description: 'Rain or shine' } });
  expect((await user.call('GET /commands/{name}', one)).command).toMatchObject({
    description: 'Rain or shine',
    args: '',
  });

  const refusals = [
    await user.refused('POST /commands', { body: { name: 'mine' } }),
    await server.refused('POST /commands', { body }),
    await server.refused('POST /commands', { body: { name: 'me' } }),
    await server.refused('POST /commands', { body: { name: 'No Good' } }),
    await server.refused('PUT /commands/{name}', { path: { name: 'shrug' }, body: {} }),
    await server.refused('DELETE /commands/{name}', { path: { name: 'gone' } }),
  ];
  expect(refusals.map(({ name }) => name)).toEqual([
    'NotAllowed',
    'DuplicateId',
    'InputInvalid',
    'InputInvalid',
    'InputInvalid',
    'NotFound',
  ]);
});

test('M7 a message keeps the command it came by and its arguments, through an edit too', async () => {
  const sent = await ana.client.messages.send(cid, { text: 'waves', command: 'me', args: 'waves' });
  const edited = await ana.client.messages.edit(sent, { text: 'waves back' });

  expect(sent).toMatchObject({ command: 'me', args: 'waves' });
  expect(edited).toMatchObject({ text: 'waves back', command: 'me', args: 'waves' });
  const caller = await chat.as('ana');
  const send = (message: Record<string, unknown>) =>
    caller.refused('POST /channels/{type}/{id}/message', {
      path,
      body: { message: { text: 'x', ...message } },
    });
  expect((await send({ command: 'nonsense' })).message).toContain('there is no command /nonsense');
  expect((await send({ args: 'alone' })).details?.[0]?.path).toBe('message.args');
});

test('M7 the meaning of a text that begins with a slash', async () => {
  const { plan } = commandsOf(ana);

  expect(await plan(cid, '/me sings')).toEqual({
    kind: 'send',
    input: { text: 'sings', command: 'me', args: 'sings' },
  });
  expect(await plan(cid, '/shrug who knows')).toMatchObject({ input: { text: 'who knows ¯\\_(ツ)_/¯' } });
  expect(await plan(cid, '/weather Lisbon')).toMatchObject({ input: { command: 'weather', args: 'Lisbon' } });
  expect(await plan(cid, '/dance')).toEqual({ kind: 'refused', reason: 'commandUnknown', name: 'dance' });
  expect(await plan(cid, '/me')).toMatchObject({ reason: 'commandNeedsText' });
  expect(await plan(cid, ' /dance')).toEqual({ kind: 'send', input: { text: '/dance' } });
  expect(parseCommand('/home/ana is a folder')).toBeUndefined();
});

test('M7 /topic and /invite act on the channel, for who may', async () => {
  const mentions = ana.client.feature(mentionsFeature);
  const { plan } = ana.client.feature(commandsFeature);
  expect(await plan(cid, '/invite @cy')).toMatchObject({ reason: 'commandNeedsPerson' });
  const [cy] = await mentions.searchEveryone('cy');
  if (cy) mentions.choose(cy);

  for (const text of ['/topic Summer plans', '/invite @cy']) {
    const found = await plan(cid, text);
    if (found.kind === 'act') await found.run();
  }

  const state = await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana' });
  expect(state.channel).toMatchObject({ topic: 'Summer plans' });
  expect(state.members.find(({ user_id }) => user_id === 'cy')?.invited).toBe(true);
  expect(await commandsOf(bo).plan(cid, '/topic mine')).toMatchObject({ reason: 'commandNotAllowed' });
});
