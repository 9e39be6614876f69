import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S15 reaction.new: of another', {
  act: ({ bo, first }) => bo.react(first, 'like', { score: 3 }),
  writes: ['reaction.new'],
});

testLaw('S15 reaction.new: own, from another device', {
  act: ({ ana, second }) => ana.react(second, 'like'),
  writes: ['reaction.new'],
});

testLaw('S15 reaction.new: own, here', {
  act: ({ cid, second }, client) => client.reactions.add({ cid, id: second }, 'like'),
  writes: ['reaction.new'],
});

testLaw('S15 reaction.new: own and others mixed', {
  arrange: ({ ana, second }) => ana.react(second, 'like'),
  act: async ({ ana, bo, cy, second }) => {
    await bo.react(second, 'like');
    await ana.react(second, 'wow');
    await cy.react(second, 'wow');
  },
  writes: ['reaction.new'],
});

testLaw('S15 reaction.new: more than are shown', {
  act: async ({ bo, cy, second }) => {
    for (const type of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await bo.react(second, type);
      await cy.react(second, type);
    }
  },
  writes: ['reaction.new'],
});

testLaw('S15 reaction.new: the only one of its author', {
  arrange: async ({ ana, bo, second }) => {
    await ana.react(second, 'like');
    await ana.react(second, 'wow');
    await bo.react(second, 'like');
  },
  act: async ({ ana, bo, second }) => {
    await ana.react(second, 'sad', { unique: true });
    await bo.react(second, 'sad', { unique: true });
  },
  writes: ['reaction.deleted', 'reaction.new'],
});

testLaw('S15 reaction.new: the only one, own, here', {
  arrange: async ({ ana, bo, second }) => {
    await ana.react(second, 'like');
    await bo.react(second, 'like');
  },
  act: ({ cid, second }, client) => client.reactions.add({ cid, id: second }, 'sad', { unique: true }),
  writes: ['reaction.deleted', 'reaction.new'],
});

testLaw('S15 reaction.new: to a reply in an open thread', {
  arrange: (scene) => scene.bo.send({ id: `r-${scene.id}`, text: 'one', parent_id: scene.first }),
  act: ({ ana, id }) => ana.react(`r-${id}`, 'like'),
  writes: ['reaction.new'],
  threads: ({ first }) => [first],
});

testLaw('S15 reaction.new: to a message that is quoted', {
  arrange: ({ cy, second }) => cy.send({ text: 'quoting', quoted_message_id: second }),
  act: ({ bo, second }) => bo.react(second, 'like'),
  writes: ['reaction.new'],
});

testLaw('S15 reaction.updated: a new score of another', {
  arrange: ({ bo, first }) => bo.react(first, 'like'),
  act: ({ bo, first }) => bo.react(first, 'like', { score: 9 }),
  writes: ['reaction.updated'],
});

testLaw('S15 reaction.updated: own', {
  arrange: ({ ana, second }) => ana.react(second, 'like'),
  act: ({ ana, second }) => ana.react(second, 'like', { score: 4 }),
  writes: ['reaction.updated'],
});

testLaw('S15 reaction.updated: own, the older of two', {
  arrange: async ({ ana, second }) => {
    await ana.react(second, 'like');
    await ana.react(second, 'wow');
  },
  act: ({ ana, second }) => ana.react(second, 'like', { score: 4 }),
  writes: ['reaction.updated'],
});

testLaw('S15 reaction.deleted: of another', {
  arrange: async ({ ana, bo, first }) => {
    await bo.react(first, 'like');
    await ana.react(first, 'like');
  },
  act: ({ bo, first }) => bo.unreact(first, 'like'),
  writes: ['reaction.deleted'],
});

testLaw('S15 reaction.deleted: own, from another device', {
  arrange: async ({ ana, bo, second }) => {
    await ana.react(second, 'like');
    await bo.react(second, 'like');
  },
  act: ({ ana, second }) => ana.unreact(second, 'like'),
  writes: ['reaction.deleted'],
});

testLaw('S15 reaction.deleted: own, here, the last', {
  arrange: ({ ana, second }) => ana.react(second, 'like'),
  act: ({ cid, second }, client) => client.reactions.delete({ cid, id: second }, 'like'),
  writes: ['reaction.deleted'],
});
