import type { Authenticator } from '../auth/authenticator.ts';
import { credentialsOf } from '../http/caller.ts';
import { ReadyJson } from '../http/ready-json.ts';
import type { Routes } from '../http/route.ts';
import type { LongPoll } from './long-poll.ts';
import type { Sync } from './sync.ts';

type Deps = { authenticator: Authenticator; longPoll: LongPoll; sync: Sync };

export const gatewayRoutes = (routes: Routes, { authenticator, longPoll, sync }: Deps): void => {
  routes.add('POST /longpoll', async ({ body, request }) => {
    const credentials = credentialsOf(request);
    if (body.connection_id === undefined)
      return new ReadyJson(await longPoll.open(credentials, body.payload), 201);
    const actor = await authenticator.authenticate(credentials);
    return new ReadyJson(await longPoll.poll(actor, body.connection_id, body.ack ?? 0), 200);
  });
  routes.add('DELETE /longpoll', async ({ query, request }) => {
    await longPoll.close(await authenticator.authenticate(credentialsOf(request)), query.connection_id);
    return {};
  });
  routes.add('POST /sync', async ({ actor, body }) => new ReadyJson(await sync(actor, body.cursors), 200));
};
