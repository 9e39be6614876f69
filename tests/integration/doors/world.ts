import type { TestChat } from '@parley/testkit';
import { type ActorName, type Answer, type Ask, makePeople, type People } from './actors.ts';

export type Room = { type: string; id: string; cid: string; secret: string };
export type World = Awaited<ReturnType<typeof makeWorld>>;

let serial = 0;
export const fresh = (word: string): string => `${word}-${++serial}`;

const setBanned = async (chat: TestChat, id: string, banned: boolean): Promise<void> => {
  const { kernel } = chat.server;
  await kernel.pools.pool.query('update users set banned = $2 where id = $1', [id, banned]);
  kernel.bus.publish({ kind: 'stale', what: 'user', key: id });
};

/** The world that the table is asked about: rooms with everyone in them as the columns say, and things that people made there. */
export const makeWorld = async (chat: TestChat) => {
  const people: People = await makePeople(chat);
  const { callers, ids } = people;

  const server = async (method: string, path: string, ask?: Ask): Promise<Answer> => {
    const answer = await callers.server(method, path, ask);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };

  /** A room with one message; `former` was a member, `banned` is one and was banned from the app since. */
  const makeRoom = async (type = 'team'): Promise<Room> => {
    const id = fresh('room');
    const path = { type, id };
    const members = ['owner', 'moderator', 'member', 'banned', 'former', 'other', ids.guest];
    await server('POST', '/channels/{type}/{id}/query', {
      path,
      body: { data: { created_by_id: 'owner', members } },
    });
    const room = { type, id, cid: `${type}:${id}`, secret: fresh('secret') };
    await sendAs(room, 'other', { text: room.secret });
    await server('POST', '/channels/{type}/{id}', {
      path,
      body: { add_moderators: ['moderator'], remove_members: ['former'] },
    });
    return room;
  };

  const sendAs = async (room: Room, author: string, message: Record<string, unknown> = {}) => {
    const text = fresh('text');
    const { body } = await server('POST', '/channels/{type}/{id}/message', {
      path: { type: room.type, id: room.id },
      body: { message: { text, ...message, user_id: author } },
    });
    return (body as { message: { id: string; text: string } }).message;
  };

  /** Lets somebody act by their own token as a member who is not banned, whatever they are otherwise. */
  const asMember = async <T>(
    room: Room,
    name: Exclude<ActorName, 'anonymous'> | 'other',
    act: () => Promise<T>,
  ) => {
    const path = { type: room.type, id: room.id };
    const isOutside = ['admin', 'former', 'stranger'].includes(name);
    if (isOutside)
      await server('POST', '/channels/{type}/{id}', { path, body: { add_members: [ids[name]] } });
    if (name === 'banned') await setBanned(chat, ids.banned, false);
    const result = await act();
    if (name === 'banned') await setBanned(chat, ids.banned, true);
    if (isOutside)
      await server('POST', '/channels/{type}/{id}', { path, body: { remove_members: [ids[name]] } });
    return result;
  };

  /** The direct conversation of exactly these two. */
  const makePair = async (members: string[]): Promise<Room> => {
    const data = { members, created_by_id: members[0] };
    const { body } = await server('POST', '/channels/{type}/query', {
      path: { type: 'messaging' },
      body: { data },
    });
    const { type, id, cid } = (body as { channel: { type: string; id: string; cid: string } }).channel;
    return { type, id, cid, secret: fresh('secret') };
  };

  await setBanned(chat, ids.banned, true);
  return { chat, people, server, makeRoom, makePair, sendAs, asMember };
};
