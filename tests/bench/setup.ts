import { channelId, type ParleyTarget, type Shape, userId } from './jobs.ts';
import { serverToken } from './tokens.ts';

export const post = async (target: ParleyTarget, path: string, body: unknown): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${target.port}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': target.apiKey,
      authorization: serverToken(target.apiSecret),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text.slice(0, 500)}`);
};

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

const usersPerCall = 100;

export const createUsers = async (target: ParleyTarget, count: number): Promise<void> => {
  for (let from = 0; from < count; from += usersPerCall) {
    const ids = range(from, Math.min(count, from + usersPerCall)).map(userId);
    await post(target, '/users', { users: Object.fromEntries(ids.map((id) => [id, { id, name: id }])) });
  }
};

type ChannelOptions = { type: string; id: string; firstUser: number; members: number };

export const createChannel = async (
  target: ParleyTarget,
  options: ChannelOptions,
  others: string[] = [],
): Promise<void> => {
  const own = range(options.firstUser, options.firstUser + options.members).map(userId);
  const ids = [...new Set([...own, ...others])];
  await post(target, `/channels/${options.type}/${options.id}/query`, {
    data: {
      created_by_id: userId(options.firstUser),
      ...(ids.length > 0 ? { members: ids.map((user_id) => ({ user_id })) } : {}),
    },
  });
};

/** The rooms of a shape. Where they are open to all, watchers are not made members. */
export const createRooms = async (target: ParleyTarget, shape: Shape, members: boolean): Promise<void> => {
  for (const room of range(0, shape.rooms)) {
    await createChannel(target, {
      type: shape.channelType,
      id: channelId(shape, room),
      firstUser: room * shape.watchers,
      members: members ? shape.watchers : 0,
    });
  }
};
