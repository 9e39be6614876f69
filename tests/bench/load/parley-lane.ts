import { randomUUID } from 'node:crypto';
import { channelId, type ParleyTarget, type Shape, textBytes, userId } from '../jobs.ts';
import { type Counters, countError, createCounters } from './counters.ts';
import type { FrameSink } from './frame-reader.ts';
import { askOk, keepAlive, openSession, postHead, type Session, withBody } from './parley.ts';
import { inParallel, type Lane, until } from './rounds.ts';
import { type HttpConnection, openHttp } from './sockets.ts';

const idLength = randomUUID().length;
/** Words, as messages have them; the message's id follows, so that no two texts are the same. */
const text = 'Shall we meet at the old harbour on Friday, or is it too late for the boat to the island? '
  .repeat(3)
  .slice(0, textBytes - idLength);

/** A ready request for sends of one user into one channel, all but the message's id. */
export const sendTemplate = (target: ParleyTarget, path: string, user: string): ((id: string) => string) => {
  const before = '{"message":{"id":"';
  const between = `","text":"${text}`;
  const after = '"}}';
  const length = before.length + between.length + 2 * idLength + after.length;
  const head = `${postHead(target, path, user)}content-length: ${length}\r\n\r\n${before}`;
  return (id) => head + id + between + id + after;
};

export type Room = { sessions: Session[]; path: string };

export type RoomsOptions = {
  /** The servers that hold the sockets, in turn; often one. */
  targets: readonly ParleyTarget[];
  shape: Shape;
  counters: Counters;
  onData: FrameSink['onData'];
  /** Decode every frame. */
  decode: boolean;
  /** How the frames begin that are counted; new messages by default. */
  prefix?: string;
};

/** Signs every watcher in and lets it watch its room. */
export const openRooms = async (options: RoomsOptions): Promise<{ rooms: Room[]; close(): void }> => {
  const { targets, shape, counters, onData } = options;
  const rooms: Room[] = Array.from({ length: shape.rooms }, (_, room) => ({
    sessions: [],
    path: `/channels/${shape.channelType}/${channelId(shape, room)}`,
  }));
  const width = 16;
  const https = await Promise.all(
    Array.from({ length: width }, () => Promise.all(targets.map(({ port }) => openHttp(port)))),
  );
  const onClosed = (code: number) => {
    counters.closed += 1;
    countError(counters, `the server closed a watching connection with ${code}`);
  };
  await inParallel(shape.rooms * shape.watchers, width, async (index, worker) => {
    const room = rooms[Math.floor(index / shape.watchers)];
    const target = targets[index % targets.length];
    const http = https[worker]?.[index % targets.length];
    if (room === undefined || http === undefined || target === undefined) return;
    const user = userId(index);
    const prefix = options.prefix === undefined ? {} : { prefix: options.prefix };
    const session = await openSession(target, user, { onData, onClosed, ...prefix });
    const head = postHead(target, `${room.path}/query?connection_id=${session.connectionId}`, user);
    await askOk(http, withBody(head, '{"watch":true,"state":false}'));
    session.ws.keep(options.decode);
    room.sessions.push(session);
  });
  for (const http of https.flat()) http.close();
  const sessions = rooms.flatMap((room) => room.sessions);
  const stopBeats = keepAlive(sessions);
  return {
    rooms,
    close() {
      stopBeats();
      for (const session of sessions) session.ws.close();
    },
  };
};

type Sending = { running: boolean; inFlight: number; counters: Counters };

const runSender = (http: HttpConnection, next: (id: string) => string, state: Sending): (() => void) => {
  let sentAt = 0;
  const send = () => {
    state.inFlight += 1;
    sentAt = performance.now();
    http.send(next(randomUUID()));
  };
  http.onReply = (status) => {
    const { counters } = state;
    state.inFlight -= 1;
    if (status === 201) {
      counters.acks += 1;
      if (counters.measuring) counters.latencies.push(performance.now() - sentAt);
    } else countError(counters, `a send was answered with ${status}`);
    if (state.running && status !== 0) send();
  };
  return send;
};

/** Closed loop over HTTP: a send is counted when its 201 came, which is after its commit. Of several servers, each has a part of the
 * watchers of every room and takes the sends of its part of the rooms. */
export const openParleyLane = async (
  given: ParleyTarget | readonly [ParleyTarget, ...ParleyTarget[]],
  shape: Shape,
): Promise<Lane> => {
  const targets = 'port' in given ? ([given] as const) : given;
  const counters = createCounters();
  const onData: FrameSink['onData'] = ({ matched, bytes }) => {
    if (!matched) return;
    counters.deliveries += 1;
    counters.bytes += bytes;
  };
  const { rooms, close } = await openRooms({ targets, shape, counters, onData, decode: false });
  const state: Sending = { running: false, inFlight: 0, counters };
  const https: HttpConnection[] = [];
  const starts: (() => void)[] = [];
  for (const [index, room] of rooms.entries()) {
    const target = targets[index % targets.length] ?? targets[0];
    for (let sender = 0; sender < shape.senders; sender++) {
      const template = sendTemplate(target, `${room.path}/message`, userId(index * shape.watchers + sender));
      for (let slot = 0; slot < shape.inFlight; slot++) {
        const http = await openHttp(target.port);
        https.push(http);
        starts.push(runSender(http, template, state));
      }
    }
  }
  return {
    name: 'parley',
    counters,
    start() {
      state.running = true;
      for (const start of starts) start();
    },
    async stop() {
      state.running = false;
      await until(() => state.inFlight === 0, 5000);
      const due = () => counters.acks * shape.watchers;
      await until(() => counters.deliveries >= due(), 5000);
      counters.missing = Math.max(0, due() - counters.deliveries);
    },
    close() {
      for (const http of https) http.close();
      close();
    },
  };
};
