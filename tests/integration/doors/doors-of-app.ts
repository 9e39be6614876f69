import type { CallKey } from '@parley/protocol';
import { both, type Door, one } from './door.ts';
import { formOf } from './scene.ts';
import { fresh } from './world.ts';

/** Only who may delete a room can have a task; for the rest there is nothing to ask about. */
const task = both(async ({ world, creator, whose }) => {
  const path = { type: 'team', id: fresh('doomed') };
  await world.server('POST', '/channels/{type}/{id}/query', {
    path,
    body: { data: { created_by_id: whose, members: [whose] } },
  });
  const cids = [`team:${path.id}`];
  const { body } = await world.people.callers[creator]('POST', '/channels/delete', { body: { cids } });
  const { task_id } = body as { task_id?: string };
  return task_id === undefined ? undefined : { path: { id: task_id } };
});

/** Calls about people, files of nobody's room, and the app. Those that only a server may make get no more than a name. */
export const appDoors = {
  'POST /longpoll': [
    { what: 'as oneself', own: true, ask: ({ mine }) => ({ body: { payload: { user_id: mine } } }) },
    { what: 'as another', ask: () => ({ body: { payload: { user_id: 'other' } } }) },
  ],
  'DELETE /longpoll': one(() => ({ query: { connection_id: 'unknown' } })),
  'POST /users': both(({ whose }) => ({ body: { users: { [whose]: { id: whose, name: 'new' } } } })),
  'PATCH /users': [
    ...both(({ whose }) => ({ body: { users: [{ id: whose, set: { mood: 'new' } }] } })),
    {
      what: 'own role',
      own: true,
      ask: ({ mine }) => ({ body: { users: [{ id: mine, set: { role: 'admin' } }] } }),
    },
  ],
  'GET /users': one(() => ({}), { shows: () => '"target"' }),
  'POST /users/query': one(() => ({ body: {} }), { shows: () => '"target"' }),
  'POST /users/{id}/deactivate': one(() => ({ path: { id: 'other' } })),
  'POST /users/{id}/reactivate': one(() => ({ path: { id: 'other' } })),
  'POST /guest': one(() => ({ body: { user: { id: 'visitor' } } })),
  'POST /dev/token': one(() => ({ body: { user_id: 'other' } })),
  'GET /dev/users': one(),
  'POST /polls': one(() => ({ body: { name: 'Where?', options: [{ text: fresh('option') }] } })),
  'GET /users/live_locations': one(),
  'POST /uploads/file': [
    { what: 'for no room', ask: () => ({ form: formOf('file') }) },
    { what: 'for a room', ask: ({ room }) => ({ form: formOf('file', { cid: room.cid }) }) },
  ],
  'POST /uploads/image': [
    { what: 'for no room', ask: () => ({ form: formOf('image') }) },
    { what: 'for a room', ask: ({ room }) => ({ form: formOf('image', { cid: room.cid }) }) },
  ],
  'GET /uploads/rules': one(),
  'GET /og': one(() => ({ query: { url: 'http://127.0.0.1/' } })),
  'GET /commands': one(),
  'POST /commands': one(),
  'GET /commands/{name}': one(() => ({ path: { name: 'shrug' } })),
  'PUT /commands/{name}': one(() => ({ path: { name: 'shrug' } })),
  'DELETE /commands/{name}': one(() => ({ path: { name: 'shrug' } })),
  'GET /permissions': one(),
  'GET /roles': one(),
  'POST /roles': one(),
  'DELETE /roles/{name}': one(() => ({ path: { name: 'user' } })),
  'GET /channeltypes': one(),
  'POST /channeltypes': one(),
  'GET /channeltypes/{name}': one(() => ({ path: { name: 'team' } })),
  'PUT /channeltypes/{name}': one(() => ({ path: { name: 'team' } })),
  'DELETE /channeltypes/{name}': one(() => ({ path: { name: 'team' } })),
  'GET /tasks/{id}': task,
  'GET /app': one(),
  'PATCH /app': one(() => ({ body: { suspended: true } })),
} satisfies Partial<Record<CallKey, Door[]>>;
