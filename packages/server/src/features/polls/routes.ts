import { ReadyJson } from '../../http/ready-json.ts';
import type { Routes } from '../../http/route.ts';
import type { PollOptions } from './options.ts';
import type { Polls } from './service.ts';
import type { PollVotes } from './votes.ts';

export type PollServices = { polls: Polls; options: PollOptions; votes: PollVotes };

export const pollsRoutes = (routes: Routes, { polls, options, votes }: PollServices): void => {
  routes.add('POST /polls', async ({ actor, body }) => {
    const { poll, isNew } = await polls.create(actor, body);
    return new ReadyJson(JSON.stringify({ poll }), isNew ? 201 : 200);
  });
  routes.add('PUT /polls', async ({ actor, body }) => ({ poll: await polls.replace(actor, body) }));
  routes.add('GET /polls/{id}', async ({ actor, params }) => ({ poll: await polls.get(actor, params.id) }));
  routes.add('PATCH /polls/{id}', async ({ actor, params, body }) => ({
    poll: await polls.patch(actor, params.id, body),
  }));
  routes.add('DELETE /polls/{id}', async ({ actor, params }) => ({
    poll: await polls.remove(actor, params.id),
  }));
  routes.add('POST /polls/{id}/options', ({ actor, params, body }) => options.add(actor, params.id, body));
  routes.add('PUT /polls/{id}/options', ({ actor, params, body }) => options.update(actor, params.id, body));
  routes.add('GET /polls/{id}/options/{option_id}', ({ actor, params }) =>
    options.get(actor, params.id, params.option_id),
  );
  routes.add('DELETE /polls/{id}/options/{option_id}', ({ actor, params }) =>
    options.remove(actor, params.id, params.option_id),
  );
  routes.add('POST /messages/{id}/polls/{poll_id}/vote', ({ actor, params, body }) =>
    votes.cast(actor, { messageId: params.id, pollId: params.poll_id }, body.vote),
  );
  routes.add('DELETE /messages/{id}/polls/{poll_id}/vote/{vote_id}', ({ actor, params }) =>
    votes.takeBack(actor, { messageId: params.id, pollId: params.poll_id }, params.vote_id),
  );
  routes.add('POST /polls/query', ({ actor, body }) => polls.query(actor, body));
  routes.add('POST /polls/{id}/votes', ({ actor, params, body }) => votes.query(actor, params.id, body));
};
