import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S12 message.new: one that calls people, roles and everyone', {
  act: ({ bo }) =>
    bo.send({
      text: '@ana @channel_moderator @here @channel',
      mentioned_users: ['ana'],
      mentioned_roles: ['channel_moderator'],
      mentioned_here: true,
      mentioned_channel: true,
    }),
  writes: ['message.new'],
});

testLaw('S12 message.new: one that came by a command', {
  act: ({ bo }) => bo.send({ text: 'waves', command: 'me', args: 'waves' }),
  writes: ['message.new'],
});

testLaw('S8 message.new: own, with a call, sent here', {
  act: ({ cid }, client) =>
    client.messages.send(cid, { text: '@bo', mentioned_users: ['bo'], mentioned_here: true }),
  writes: ['message.new'],
});
