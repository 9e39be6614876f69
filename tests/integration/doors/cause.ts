import type { ActorName, Ask } from './actors.ts';
import { type Creator, inAnHour, poll, type Scene } from './scene.ts';

/** How an event comes about. Everyone who may watches the room, unless it is `unseen`. */
export type Cause = {
  what: string;
  /** The listener that is sure to receive it; after that the others are looked at. */
  awaited: ActorName;
  unseen?: boolean;
  /** `received` waits until the one who is awaited has received an event of that type. */
  act(scene: Scene, received: (type: string) => Promise<unknown>): Promise<unknown>;
};

export const room = (what: string, act: Cause['act']): Cause => ({ what, awaited: 'member', act });
export const unseen = (what: string, act: Cause['act']): Cause => ({
  what,
  awaited: 'member',
  unseen: true,
  act,
});
/** Causes of events that only the member gets. */
export const own = (what: string, act: Cause['act']): Cause => ({
  what: `member ${what}`,
  awaited: 'member',
  act,
});

export const call = async (
  scene: Scene,
  who: Creator,
  key: string,
  ask: Ask,
): Promise<Record<string, unknown>> => {
  const [method = '', path = ''] = key.split(' ');
  const answer = await scene.world.people.callers[who](method, path, ask);
  if (answer.status >= 300) throw new Error(`${who}: ${key} answered ${answer.status}: ${answer.text}`);
  return answer.body;
};

export const sent = async (scene: Scene, said: Record<string, unknown> = {}) =>
  (await scene.world.sendAs(scene.room, 'other', said)).id;
export const member = (what: string, key: string, ask: (scene: Scene) => Ask | Promise<Ask>): Cause =>
  own(what, async (scene) => call(scene, 'member', key, await ask(scene)));
export const inRoom = (scene: Scene, body: unknown): Ask => ({ path: scene.path, body });
export const change = (scene: Scene, body: unknown) =>
  scene.world.server('POST', '/channels/{type}/{id}', inRoom(scene, body));

export const voted = async (scene: Scene) => {
  const made = await poll(scene, { enforce_unique_vote: true });
  const path = { id: made.messageId, poll_id: made.id };
  const cast = (option_id: string) =>
    call(scene, 'other', 'POST /messages/{id}/polls/{poll_id}/vote', { path, body: { vote: { option_id } } });
  return { ...made, path, cast };
};

export const shared = async (scene: Scene): Promise<string> => {
  const shared_location = { latitude: 1, longitude: 2, end_at: inAnHour(), created_by_device_id: 'phone' };
  const body = await call(
    scene,
    'other',
    'POST /channels/{type}/{id}/message',
    inRoom(scene, { message: { shared_location } }),
  );
  return (body as { message: { id: string } }).message.id;
};
export const move = (scene: Scene, message_id: string, more: Record<string, unknown>) =>
  call(scene, 'other', 'PUT /users/live_locations', {
    body: { message_id, created_by_device_id: 'phone', ...more },
  });

export const reminded = async (scene: Scene, remind_at: string): Promise<string> => {
  const id = await sent(scene);
  await call(scene, 'member', 'POST /messages/{id}/reminders', { path: { id }, body: { remind_at } });
  return id;
};
export const planned = async (scene: Scene, send_at: string): Promise<string> => {
  const body = await call(
    scene,
    'member',
    'POST /channels/{type}/{id}/scheduled_messages',
    inRoom(scene, { message: { text: 'x' }, send_at }),
  );
  return (body as { scheduled_message: { id: string } }).scheduled_message.id;
};
export const soon = (): string => new Date(Date.now() + 1_500).toISOString();
export const react = (scene: Scene, id: string, score: number) =>
  call(scene, 'other', 'POST /messages/{id}/reaction', {
    path: { id },
    body: { reaction: { type: 'like', score } },
  });
