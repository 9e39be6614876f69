import type { ActorName, Answer, Ask } from './actors.ts';
import { fresh, type Room, type World } from './world.ts';

export type Creator = Exclude<ActorName, 'anonymous'> | 'other';

/** One door and one who knocks. `mine` is their id, `whose` the id of whose thing it is: theirs or the other's. */
export type Scene = {
  world: World;
  room: Room;
  path: { type: string; id: string };
  mine: string;
  whose: string;
  creator: Creator;
};

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const formOf = (kind: 'file' | 'image', fields: Record<string, string> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(
    'file',
    kind === 'image' ? new Blob([picture]) : new Blob(['words']),
    kind === 'image' ? 'a.png' : 'a.txt',
  );
  return form;
};

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
export const inAnHour = (): string => later(3_600_000);

const act = async (scene: Scene, method: string, path: string, ask: Ask): Promise<Answer> => {
  const { world, room, creator } = scene;
  return world.asMember(room, creator, async () => {
    const answer = await world.people.callers[creator](method, path, ask);
    if (answer.status >= 300)
      throw new Error(`${creator}: ${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  });
};

/** A message of the one whose thing it is. */
export const message = async (scene: Scene, said: Record<string, unknown> = {}): Promise<string> =>
  (await scene.world.sendAs(scene.room, scene.whose, said)).id;

export const deletedMessage = async (scene: Scene): Promise<string> => {
  const id = await message(scene);
  await scene.world.server('DELETE', '/messages/{id}', { path: { id }, query: { user_id: scene.whose } });
  return id;
};

export const pendingMessage = async (scene: Scene): Promise<string> => {
  const { body } = await scene.world.server('POST', '/channels/{type}/{id}/message', {
    path: scene.path,
    body: { pending: true, message: { text: fresh('pending'), user_id: scene.whose } },
  });
  return (body as { message: { id: string } }).message.id;
};

export const thread = async (scene: Scene): Promise<string> => {
  const id = await message(scene);
  await scene.world.sendAs(scene.room, 'other', { parent_id: id, text: scene.room.secret });
  return id;
};

export const reaction = async (scene: Scene): Promise<string> => {
  const id = (await scene.world.sendAs(scene.room, 'other')).id;
  await scene.world.server('POST', '/messages/{id}/reaction', {
    path: { id },
    body: { reaction: { type: 'like' } },
    query: { user_id: scene.whose },
  });
  return id;
};

type Poll = { id: string; option: string; otherOption: string; messageId: string };

export const poll = async (scene: Scene, more: Record<string, unknown> = {}): Promise<Poll> => {
  const [option, otherOption] = [fresh('option'), fresh('option')];
  const { body } = await scene.world.server('POST', '/polls', {
    body: {
      name: scene.room.secret,
      options: [option, otherOption].map((id) => ({ id, text: id })),
      ...more,
      user_id: scene.whose,
    },
  });
  const { id } = (body as { poll: { id: string } }).poll;
  const messageId = await message(scene, { poll_id: id });
  return { id, option, otherOption, messageId };
};

/** A vote of the one whose thing it is, on a poll of the other. */
export const vote = async (scene: Scene): Promise<Poll & { voteId: string }> => {
  const made = await poll({ ...scene, whose: 'other' });
  const { body } = await act(scene, 'POST', '/messages/{id}/polls/{poll_id}/vote', {
    path: { id: made.messageId, poll_id: made.id },
    body: { vote: { option_id: made.option } },
  });
  return { ...made, voteId: (body as { vote: { id: string } }).vote.id };
};

export const draft = async (scene: Scene): Promise<string> => {
  await act(scene, 'POST', '/channels/{type}/{id}/draft', {
    path: scene.path,
    body: { message: { text: fresh('draft') } },
  });
  return scene.room.cid;
};

export const reminder = async (scene: Scene): Promise<string> => {
  const { id } = await scene.world.sendAs(scene.room, 'other', { text: scene.room.secret });
  await act(scene, 'POST', '/messages/{id}/reminders', { path: { id }, body: { remind_at: inAnHour() } });
  return id;
};

export const scheduled = async (scene: Scene): Promise<string> => {
  const { body } = await act(scene, 'POST', '/channels/{type}/{id}/scheduled_messages', {
    path: scene.path,
    body: { message: { text: fresh('scheduled') }, send_at: inAnHour() },
  });
  return (body as { scheduled_message: { id: string } }).scheduled_message.id;
};

export const location = async (scene: Scene): Promise<string> => {
  const shared_location = { latitude: 1, longitude: 2, end_at: inAnHour(), created_by_device_id: 'phone' };
  const { body } = await act(scene, 'POST', '/channels/{type}/{id}/message', {
    path: scene.path,
    body: { message: { shared_location } },
  });
  return (body as { message: { id: string } }).message.id;
};

/** A file of the one whose thing it is, which a message of theirs carries. */
export const file = async (scene: Scene, kind: 'file' | 'image'): Promise<string> => {
  const { body } = await act(scene, 'POST', `/channels/{type}/{id}/${kind}`, {
    path: scene.path,
    form: formOf(kind),
  });
  const url = (body as { file: string }).file;
  const said = { attachments: [{ type: kind, asset_url: url }], text: fresh('with-file') };
  await act(scene, 'POST', '/channels/{type}/{id}/message', { path: scene.path, body: { message: said } });
  return url;
};
