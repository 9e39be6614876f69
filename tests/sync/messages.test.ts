import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S12 message.new: a message of another', {
  act: ({ bo }) => bo.send({ text: 'hello', mentioned_users: ['ana'], ...{ mood: 'bright' } }),
  writes: ['message.new'],
});

testLaw('S12 message.new: several at once', {
  act: ({ bo, cy }) => Promise.all([1, 2, 3, 4].map((n) => (n % 2 ? bo : cy).send({ text: `number ${n}` }))),
  writes: ['message.new'],
});

testLaw('S12 message.new: own, from another device', {
  act: ({ ana }) => ana.send({ text: 'from my phone' }),
  writes: ['message.new'],
});

testLaw('S8 message.new: own, sent here', {
  act: ({ cid }, client) => client.messages.send(cid, { text: 'typed here' }),
  writes: ['message.new'],
});

testLaw('S12 message.new: a quote', {
  act: ({ bo, third }) => bo.send({ text: 'as you said', quoted_message_id: third }),
  writes: ['message.new'],
});

testLaw('S12 message.new: a quote of a message with reactions', {
  arrange: ({ cy, third }) => cy.react(third, 'like'),
  act: ({ bo, third }) => bo.send({ text: 'as you said', quoted_message_id: third }),
  writes: ['message.new'],
});

testLaw('S12 message.new: a thread reply', {
  act: ({ bo, first }) => bo.send({ text: 'in the thread', parent_id: first }),
  writes: ['message.new', 'message.updated'],
});

testLaw('S12 message.new: a reply in an open thread', {
  arrange: ({ cy, first }) => cy.send({ text: 'one', parent_id: first }),
  act: async ({ bo, cy, first }) => {
    await bo.send({ text: 'two', parent_id: first });
    await cy.send({ text: 'three', parent_id: first });
  },
  writes: ['message.new', 'message.updated'],
  threads: ({ first }) => [first],
});

testLaw('S12 message.new: a reply shown in the channel', {
  act: ({ bo, first }) => bo.send({ text: 'for all', parent_id: first, show_in_channel: true }),
  writes: ['message.new', 'message.updated'],
  threads: ({ first }) => [first],
});

testLaw('S12 message.new: silent', {
  act: ({ bo }) => bo.send({ text: 'psst', silent: true }),
  writes: ['message.new'],
});

testLaw('S12 message.new: system', {
  act: ({ server }) => server.send({ text: 'Bo renamed it', type: 'system', user_id: 'bo' }),
  writes: ['message.new'],
});

testLaw('S13 message.updated: an edit', {
  act: ({ bo, second }) => bo.edit(second, 'second, edited'),
  writes: ['message.updated'],
});

testLaw('S13 message.updated: own, here', {
  act: ({ cid, first }, client) => client.messages.edit({ cid, id: first }, { text: 'better' }),
  writes: ['message.updated'],
});

testLaw('S13 message.updated: keeps own reactions', {
  arrange: ({ ana, second }) => ana.react(second, 'like'),
  act: ({ bo, second }) => bo.edit(second, 'second, edited'),
  writes: ['message.updated'],
});

testLaw('S13 message.updated: a message that is quoted', {
  arrange: ({ cy, second }) => cy.send({ text: 'quoting', quoted_message_id: second }),
  act: ({ bo, second }) => bo.edit(second, 'second, edited'),
  writes: ['message.updated'],
});

testLaw('S13 message.updated: a reply in an open thread', {
  arrange: (scene) => scene.bo.send({ id: `r-${scene.id}`, text: 'one', parent_id: scene.first }),
  act: ({ bo, id }) => bo.edit(`r-${id}`, 'one, edited'),
  writes: ['message.updated'],
  threads: ({ first }) => [first],
});

testLaw('S14 message.deleted: softly', {
  act: ({ bo, second }) => bo.remove(second),
  writes: ['message.deleted'],
});

testLaw('S14 message.deleted: softly, with reactions', {
  arrange: async ({ ana, cy, second }) => {
    await ana.react(second, 'like');
    await cy.react(second, 'wow');
  },
  act: ({ bo, second }) => bo.remove(second),
  writes: ['message.deleted'],
});

testLaw('S14 message.deleted: softly, a message that is quoted', {
  arrange: ({ cy, second }) => cy.send({ text: 'quoting', quoted_message_id: second }),
  act: ({ bo, second }) => bo.remove(second),
  writes: ['message.deleted'],
});

testLaw('S14 message.deleted: for good', {
  act: ({ bo, second }) => bo.remove(second, { hard: true }),
  writes: ['message.deleted'],
});

testLaw('S14 message.deleted: for good, the newest', {
  act: ({ cy, third }) => cy.remove(third, { hard: true }),
  writes: ['message.deleted'],
});

testLaw('S14 message.deleted: for good, a message that is quoted', {
  arrange: ({ cy, second }) => cy.send({ text: 'quoting', quoted_message_id: second }),
  act: ({ bo, second }) => bo.remove(second, { hard: true }),
  writes: ['message.deleted'],
});

testLaw('S14 message.deleted: a reply, softly', {
  arrange: (scene) => scene.bo.send({ id: `r-${scene.id}`, text: 'one', parent_id: scene.first }),
  act: ({ bo, id }) => bo.remove(`r-${id}`),
  writes: ['message.deleted', 'message.updated'],
  threads: ({ first }) => [first],
});

testLaw('S14 message.deleted: own, here, softly and for good', {
  arrange: (scene) => scene.ana.send({ id: `a-${scene.id}`, text: 'more' }),
  act: async ({ cid, first, id }, client) => {
    await client.messages.delete({ cid, id: first });
    await client.messages.delete({ cid, id: `a-${id}` }, { hard: true });
  },
  writes: ['message.deleted'],
});

testLaw('S14 message.undeleted: back as it was', {
  arrange: ({ bo, second }) => bo.remove(second),
  act: ({ bo, second }) => bo.undelete(second),
  writes: ['message.undeleted'],
});

testLaw('S14 message.undeleted: with its reactions', {
  arrange: async ({ ana, bo, second }) => {
    await ana.react(second, 'like');
    await bo.remove(second);
  },
  act: ({ bo, second }) => bo.undelete(second),
  writes: ['message.undeleted'],
});

testLaw('S14 message.undeleted: deleted and undeleted in front of the observer', {
  arrange: ({ ana, second }) => ana.react(second, 'like'),
  act: async ({ bo, second }) => {
    await bo.remove(second);
    await bo.undelete(second);
  },
  writes: ['message.deleted', 'message.undeleted'],
});
