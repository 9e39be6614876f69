import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S11 message.read: another reads all', {
  act: ({ bo }) => bo.read(),
  writes: ['message.read'],
});

testLaw('S11 message.read: another reads up to a message', {
  arrange: ({ cy }) => cy.send({ text: 'fourth' }),
  act: ({ zed, second }) => zed.read(second),
  writes: ['message.read'],
});

testLaw('S11 message.read: the first mark of someone new', {
  arrange: ({ server }) => server.change({ add_members: ['dee'] }),
  act: async ({ world: { chat }, type, id }) => {
    const dee = await chat.as('dee');
    await dee.call('POST /channels/{type}/{id}/read', { path: { type, id }, body: {} });
  },
  writes: ['message.read'],
});

testLaw('S10 message.read: own, from another device', {
  act: ({ ana }) => ana.read(),
  writes: ['message.read'],
});

testLaw('S10 message.read: own, here', {
  act: ({ cid }, client) => client.reads.markRead(cid),
  writes: ['message.read'],
});

testLaw('S10 message.read: own, up to a message, then all', {
  act: async ({ ana, second }) => {
    await ana.read(second);
    await ana.read();
  },
  writes: ['message.read'],
});

testLaw('S10 message.read: after a mark-unread', {
  arrange: ({ ana, second }) => ana.markUnread(second),
  act: ({ ana }) => ana.read(),
  writes: ['message.read'],
});

testLaw('S10 message.new: counts for the observer, not for its author', {
  arrange: ({ ana }) => ana.read(),
  act: async ({ bo, ana }) => {
    await bo.send({ text: 'one' });
    await bo.send({ text: 'two' });
    await ana.read();
    await bo.send({ text: 'three' });
  },
  writes: ['message.new', 'message.read'],
});

testLaw('S11 message.delivered: to another', {
  act: ({ bo, third }) => bo.delivered(third),
  writes: ['message.delivered'],
});

testLaw('S11 message.delivered: own, and twice', {
  act: async ({ ana, bo, second, third }) => {
    await ana.delivered(second);
    await ana.delivered(third);
    await bo.delivered(third);
  },
  writes: ['message.delivered'],
});

testLaw('S20 member.added: marks become counts', {
  channelType: 'hall',
  act: async ({ bo, server }) => {
    await bo.read();
    await server.change({ add_members: ['dee'] });
    await bo.send({ text: 'to all of you' });
  },
  writes: ['message.read', 'member.added', 'message.new'],
});

testLaw('S20 member.removed: counts become marks again', {
  channelType: 'hall',
  arrange: async ({ bo, server }) => {
    await server.change({ add_members: ['dee'] });
    await bo.read();
  },
  act: ({ server }) => server.change({ remove_members: ['dee'] }),
  writes: ['member.removed'],
});
