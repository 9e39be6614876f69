import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S19 member.added: another', {
  act: ({ server }) => server.change({ add_members: ['dee'] }),
  writes: ['member.added'],
});

testLaw('S19 member.added: another, who then writes', {
  act: async ({ server }) => {
    await server.change({ add_members: [{ user_id: 'dee', ...{ nickname: 'D' } }] });
    await server.send({ text: 'I am Dee', user_id: 'dee' });
  },
  writes: ['member.added', 'message.new'],
});

testLaw('S19 member.added: an invitation', {
  act: ({ server }) => server.change({ invites: ['dee'] }),
  writes: ['member.added'],
});

testLaw('S19 member.added: oneself, to a channel that one looks at', {
  arrange: ({ server }) => server.change({ remove_members: ['ana'] }),
  act: ({ server }) => server.change({ add_members: ['ana'] }),
  writes: ['member.added'],
  channelType: 'gaming',
});

testLaw('S19 member.updated: custom data of another', {
  act: ({ cy }) => cy.patchMember({ nickname: 'C' }),
  writes: ['member.updated'],
});

testLaw('S19 member.updated: own custom data', {
  act: ({ ana }) => ana.patchMember({ nickname: 'A' }),
  writes: ['member.updated'],
});

testLaw('S19 member.updated: another becomes moderator', {
  act: ({ server }) => server.change({ add_moderators: ['cy'] }),
  writes: ['member.updated'],
});

testLaw('S19 member.updated: oneself becomes moderator', {
  act: ({ server }) => server.change({ add_moderators: ['ana'] }),
  writes: ['member.updated'],
});

testLaw('S19 member.updated: oneself is moderator no more', {
  arrange: ({ server }) => server.change({ add_moderators: ['ana'] }),
  act: ({ server }) => server.change({ demote_moderators: ['ana'] }),
  writes: ['member.updated'],
});

testLaw('S19 member.removed: another', {
  act: ({ server }) => server.change({ remove_members: ['cy'] }),
  writes: ['member.removed'],
});

testLaw('S19 member.removed: another, who comes back', {
  act: async ({ server }) => {
    await server.change({ remove_members: ['cy'] });
    await server.change({ add_members: ['cy'] });
  },
  writes: ['member.removed', 'member.added'],
});

testLaw('S7 member.removed: oneself', {
  act: ({ server }) => server.change({ remove_members: ['ana'] }),
  writes: ['member.removed'],
  isGone: true,
});

testLaw('S7 member.removed: oneself leaves, here', {
  act: ({ cid }, client) => client.members.leave(cid),
  writes: ['member.removed'],
  isGone: true,
});
