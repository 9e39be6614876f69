import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S17 channel.updated: name and custom data', {
  act: ({ bo }) => bo.patch({ name: 'Renamed', colour: 'green' }),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: data replaced', {
  arrange: ({ bo }) => bo.patch({ colour: 'green', image: 'https://example.com/a.png' }),
  act: ({ bo }) => bo.change({ data: { name: 'Only a name' } }),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: data removed', {
  arrange: ({ bo }) => bo.patch({ colour: 'green' }),
  act: ({ bo }) => bo.patch({}, ['colour', 'name']),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: slow mode', {
  act: ({ bo }) => bo.patch({ cooldown: 10 }),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: frozen', {
  act: ({ bo }) => bo.patch({ frozen: true }),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: thawed', {
  arrange: ({ bo }) => bo.patch({ frozen: true }),
  act: ({ bo }) => bo.patch({ frozen: false }),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: disabled', {
  act: ({ server }) => server.patch({ disabled: true }),
  writes: ['channel.updated'],
});

testLaw('S17 channel.updated: with a message along', {
  act: ({ bo }) => bo.change({ data: { name: 'Renamed' }, message: { text: 'I renamed it' } }),
  writes: ['channel.updated', 'message.new'],
});

testLaw('S17 channel.updated: of a livestream that one only looks at', {
  act: ({ bo }) => bo.patch({ name: 'Renamed' }),
  writes: ['channel.updated'],
  channelType: 'livestream',
});

testLaw('S18 channel.truncated: all messages go', {
  act: ({ bo }) => bo.truncate(),
  writes: ['channel.truncated'],
});

testLaw('S18 channel.truncated: unread ends, and begins anew', {
  act: async ({ bo }) => {
    await bo.truncate();
    await bo.send({ text: 'a new start' });
  },
  writes: ['channel.truncated', 'message.new'],
});

testLaw('S18 channel.truncated: with a message along', {
  act: ({ bo }) => bo.truncate({ text: 'wiped' }),
  writes: ['channel.truncated', 'message.new'],
});

testLaw('S18 channel.truncated: an open thread is emptied', {
  arrange: ({ bo, first }) => bo.send({ text: 'in the thread', parent_id: first }),
  act: ({ bo }) => bo.truncate(),
  writes: ['channel.truncated'],
});

testLaw('S7 channel.deleted: softly', {
  act: ({ bo }) => bo.deleteChannel(),
  writes: ['channel.deleted'],
  isGone: true,
});

testLaw('S7 channel.deleted: for good', {
  act: ({ server }) => server.deleteChannel({ hard: true }),
  writes: ['channel.deleted'],
  isGone: true,
});
