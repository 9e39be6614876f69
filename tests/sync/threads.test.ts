import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

testLaw('S13 thread.updated: a title', {
  arrange: (scene) => scene.bo.send({ id: `r-${scene.id}`, text: 'one', parent_id: scene.first }),
  act: ({ ana, first }) =>
    ana.caller.call('PATCH /threads/{message_id}', {
      path: { message_id: first },
      body: { set: { title: 'Where to meet' } },
    }),
  writes: ['thread.updated'],
  threads: ({ first }) => [first],
});
