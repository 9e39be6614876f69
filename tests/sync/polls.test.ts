import type { Poll } from '@parley/protocol';
import { type Person, type Scene, untilNoRows } from './scene.ts';
import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

const untilPublished = (scene: Scene) => untilNoRows(scene, 'poll_untold');
const pollOf = ({ id }: Scene) => `poll-${id}`;
const carrierOf = ({ id }: Scene) => `ask-${id}`;
const options = ['a', 'b', 'c'].map((id) => ({ id, text: `Option ${id}` }));

/** A poll of Bo's. */
const ask = async (scene: Scene, more: object = {}, message: object = {}) => {
  const { caller } = scene.bo;
  await caller.call('POST /polls', { body: { id: pollOf(scene), name: 'Which?', options, ...more } });
  await scene.bo.send({ id: carrierOf(scene), poll_id: pollOf(scene), ...message });
};

const vote = async (scene: Scene, { caller }: Person, given: object) => {
  const path = { id: carrierOf(scene), poll_id: pollOf(scene) };
  const { vote } = await caller.call('POST /messages/{id}/polls/{poll_id}/vote', {
    path,
    body: { vote: given },
  });
  return vote.id;
};
const unvote = (scene: Scene, { caller }: Person, vote_id: string) =>
  caller.call('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', {
    path: { id: carrierOf(scene), poll_id: pollOf(scene), vote_id },
  });
const patch = ({ bo, ...scene }: Scene, set: object) =>
  bo.caller.call('PATCH /polls/{id}', {
    path: { id: pollOf({ bo, ...scene }) },
    body: { set } as { set: Record<string, unknown> },
  });

testLaw('S21 message.new: with a poll', { act: (scene) => ask(scene), writes: ['message.new'] });

testLaw('S21 poll.vote_casted: of another', {
  arrange: (scene) => ask(scene),
  act: async (scene) => {
    await vote(scene, scene.cy, { option_id: 'a' });
    await untilPublished(scene);
  },
  writes: ['poll.vote_casted'],
});

testLaw('S21 poll.vote_casted: own, from another device', {
  arrange: (scene) => ask(scene),
  act: async (scene) => {
    await vote(scene, scene.ana, { option_id: 'b' });
    await untilPublished(scene);
  },
  writes: ['poll.vote_casted'],
});

testLaw('S21 poll.vote_casted: many at once, some own, in an anonymous poll', {
  arrange: (scene) => ask(scene, { voting_visibility: 'anonymous', allow_answers: true }),
  act: async (scene) => {
    const { ana, bo, cy, zed } = scene;
    await Promise.all([ana, bo, cy, zed].map((who) => vote(scene, who, { option_id: 'a' })));
    await Promise.all([ana, cy].map((who) => vote(scene, who, { answer_text: 'Neither' })));
    await untilPublished(scene);
  },
  writes: ['poll.vote_casted'],
});

testLaw('S21 poll.vote_changed: own and of another, in a poll of one vote', {
  arrange: async (scene) => {
    await ask(scene, { enforce_unique_vote: true });
    await vote(scene, scene.ana, { option_id: 'a' });
    await vote(scene, scene.cy, { option_id: 'a' });
    await untilPublished(scene);
  },
  act: async (scene) => {
    await vote(scene, scene.cy, { option_id: 'b' });
    await vote(scene, scene.ana, { option_id: 'c' });
    await untilPublished(scene);
  },
  writes: ['poll.vote_changed'],
});

testLaw('S21 poll.vote_removed: own', {
  arrange: async (scene) => {
    await ask(scene);
    await vote(scene, scene.cy, { option_id: 'a' });
    await untilPublished(scene);
  },
  act: async (scene) => {
    const id = await vote(scene, scene.ana, { option_id: 'a' });
    await untilPublished(scene);
    await unvote(scene, scene.ana, id);
    await untilPublished(scene);
  },
  writes: ['poll.vote_casted', 'poll.vote_removed'],
});

testLaw('S21 poll.updated: an option goes with its votes, and one comes', {
  arrange: async (scene) => {
    await ask(scene);
    await vote(scene, scene.ana, { option_id: 'a' });
    await vote(scene, scene.ana, { option_id: 'b' });
    await untilPublished(scene);
  },
  act: (scene) => patch(scene, { options: [...options.slice(1), { id: 'd', text: 'Option d' }] }),
  writes: ['poll.updated'],
});

testLaw('S21 poll.updated: in an open thread, quoted and pinned', {
  arrange: async (scene) => {
    await ask(scene, {}, { parent_id: scene.first, show_in_channel: true });
    await scene.cy.send({ text: 'quoting', quoted_message_id: carrierOf(scene) });
    await scene.bo.caller.call('PATCH /messages/{id}', {
      path: { id: carrierOf(scene) },
      body: { set: { pinned: true } },
    });
    await vote(scene, scene.ana, { option_id: 'a' });
    await untilPublished(scene);
  },
  act: async (scene) => {
    await patch(scene, { name: 'Which one?' });
    await scene.bo.edit(carrierOf(scene), 'with words');
  },
  writes: ['poll.updated', 'message.updated'],
  threads: ({ first }) => [first],
});

testLaw('S21 poll.closed: by its creator', {
  arrange: async (scene) => {
    await ask(scene);
    await vote(scene, scene.ana, { option_id: 'a' });
    await untilPublished(scene);
  },
  act: (scene) => patch(scene, { is_closed: true } satisfies Partial<Poll>),
  writes: ['poll.closed'],
});

testLaw('S21 poll.deleted: its message stays', {
  arrange: async (scene) => {
    await ask(scene);
    await scene.cy.send({ text: 'quoting', quoted_message_id: carrierOf(scene) });
  },
  act: (scene) => scene.bo.caller.call('DELETE /polls/{id}', { path: { id: pollOf(scene) } }),
  writes: ['poll.deleted'],
});

testLaw('S21 message.undeleted: a poll comes back with the own votes', {
  arrange: async (scene) => {
    await ask(scene);
    await vote(scene, scene.ana, { option_id: 'a' });
    await untilPublished(scene);
    await scene.bo.remove(carrierOf(scene));
  },
  act: (scene) => scene.bo.undelete(carrierOf(scene)),
  writes: ['message.undeleted'],
});
