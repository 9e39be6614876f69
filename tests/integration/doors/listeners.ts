import { until } from '@parley/testkit';
import { connectFrame, openSocket } from '../support.ts';
import { type ActorName, actors } from './actors.ts';
import { fresh, type Room, type World } from './world.ts';

type Received = { type: string; cid?: string; message?: { text?: string } };
type Listener = { id: string; frames: Received[]; beat(): void; close(): void };
export type Listeners = Awaited<ReturnType<typeof openListeners>>;

const listen = async (world: World, actor: ActorName): Promise<Listener> => {
  const { chat, people } = world;
  const socket = openSocket(chat);
  await socket.opened;
  if (actor === 'anonymous') socket.send(connectFrame(undefined));
  else socket.send(connectFrame(people.tokens[actor], { user_id: people.ids[actor] }));
  await until(
    () => socket.frames.some(({ connection_id }) => connection_id !== undefined),
    `${actor} to connect`,
  );
  const id = String(socket.frames.find(({ connection_id }) => connection_id)?.connection_id);
  // The server ends a connection that is silent for 40 s.
  const beat = () => socket.send({ type: 'health.check' });
  return { id, frames: socket.frames as Received[], beat, close: socket.close };
};

/** One socket for every column, and a channel that all of them watch, by which it is known that everything before has come. */
export const openListeners = async (world: World) => {
  const marker = { type: 'livestream', id: fresh('marker') };
  await world.server('POST', '/channels/{type}/{id}/query', {
    path: marker,
    body: { data: { created_by_id: 'owner', members: ['owner'] } },
  });
  const markerCid = `${marker.type}:${marker.id}`;
  const sockets = new Map<ActorName, Listener>();
  for (const actor of actors) sockets.set(actor, await listen(world, actor));

  /** Everyone asks to watch; who may not read is refused. */
  const watch = async (room: Pick<Room, 'type' | 'id'>): Promise<void> => {
    for (const [actor, { id }] of sockets)
      await world.people.callers[actor]('POST', '/channels/{type}/{id}/query', {
        path: { type: room.type, id: room.id },
        query: { connection_id: id },
        body: { watch: true, presence: true },
      });
  };
  await watch(marker);

  const settle = async (): Promise<void> => {
    const text = fresh('settled');
    await world.server('POST', '/channels/{type}/{id}/message', {
      path: marker,
      body: { message: { text, user_id: 'owner' } },
    });
    for (const { beat } of sockets.values()) beat();
    for (const [actor, { frames }] of sockets)
      await until(
        () => frames.some(({ message }) => message?.text === text),
        `${actor} to receive the marker`,
      );
  };

  return {
    watch,
    /** The listeners that received an event of this type since `act` began, once `awaited` has. */
    async receivedBy(
      type: string,
      awaited: ActorName,
      act: (received: (type: string) => Promise<unknown>) => Promise<unknown>,
    ): Promise<Set<ActorName>> {
      await settle();
      for (const { frames } of sockets.values()) frames.length = 0;
      const receives = (actor: ActorName, name: string) =>
        sockets.get(actor)?.frames.some((frame) => frame.type === name && frame.cid !== markerCid) ?? false;
      const received = (name: string) =>
        until(() => receives(awaited, name), `${awaited} to receive ${name}`);
      await act(received);
      await received(type);
      await settle();
      return new Set(actors.filter((actor) => receives(actor, type)));
    },
    close: () => {
      for (const socket of sockets.values()) socket.close();
    },
  };
};
