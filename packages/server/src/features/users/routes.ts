import { invalid } from '@parley/protocol';
import type { UserEntry } from '../../auth/actor.ts';
import type { Routes } from '../../http/route.ts';
import { isRecord } from '../../lib/objects.ts';
import type { Guests } from './guests.ts';
import type { Users } from './service.ts';

const byId = (entries: UserEntry[]) => ({
  users: Object.fromEntries(entries.map(({ user }) => [user.id, user])),
});

const parsePayload = (payload: string | undefined): Record<string, unknown> => {
  if (payload === undefined) return {};
  try {
    const value: unknown = JSON.parse(payload);
    if (isRecord(value)) return value;
  } catch {
    // Falls through to the refusal below.
  }
  throw invalid('payload', 'must be the JSON of an object');
};

export const usersRoutes = (routes: Routes, users: Users, guests: Guests): void => {
  routes.add('POST /users', async ({ actor, body }) => byId(await users.upsert(actor, body.users)));
  routes.add('PATCH /users', async ({ actor, body }) => byId(await users.patch(actor, body.users)));
  routes.add('POST /users/query', async ({ actor, body, watcher }) => {
    if (!body.presence || !watcher) return users.query(actor, body);
    const reason = await users.reasonToFollow(actor);
    return users.query(actor, body, (ids) => watcher.followPresence(new Map([[reason, ids]])));
  });
  routes.add('GET /users', ({ actor, query }) => users.query(actor, parsePayload(query.payload)));
  routes.add('POST /users/{id}/deactivate', async ({ params }) => ({
    user: await users.setDeactivated(params.id, true),
  }));
  routes.add('POST /users/{id}/reactivate', async ({ params }) => ({
    user: await users.setDeactivated(params.id, false),
  }));
  routes.add('POST /guest', ({ body }) => guests(body.user, body.access_token));
};
