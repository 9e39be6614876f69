import { randomUUID } from 'node:crypto';
import { type BareTarget, type ParleyTarget, type Shape, textBytes, userId } from '../jobs.ts';
import { type Counters, countError, createCounters } from './counters.ts';
import { openRooms, sendTemplate } from './parley-lane.ts';
import { inParallel, type Lane, until } from './rounds.ts';
import { clientFrame, type HttpConnection, openHttp, openWs, type WsConnection } from './sockets.ts';

type Flight = { startedAt: number; left: number; measured: boolean };

/** Follows each message from the write of its request to its last receiver; one clock, for it is one process. */
const createTracker = (counters: Counters, receivers: number) => {
  const flights = new Map<string, Flight>();
  return {
    size: () => flights.size,
    begin(id: string) {
      flights.set(id, { startedAt: performance.now(), left: receivers, measured: counters.measuring });
    },
    arrived(id: string) {
      const flight = flights.get(id);
      if (flight === undefined) return;
      counters.deliveries += 1;
      flight.left -= 1;
      if (flight.left > 0) return;
      flights.delete(id);
      if (flight.measured) counters.latencies.push(performance.now() - flight.startedAt);
    },
  };
};

/** Calls `send` at even distances whatever the replies do. A late timer catches up at once. */
export const createPacer = (perSecond: number, send: (index: number) => void) => {
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  return {
    start() {
      const startedAt = performance.now();
      const first = sent;
      timer = setInterval(() => {
        const due = first + Math.floor(((performance.now() - startedAt) * perSecond) / 1000);
        while (sent < due) send(sent++);
      }, 1);
    },
    stop: () => clearInterval(timer),
  };
};

type Tracker = ReturnType<typeof createTracker>;

const laneOf = (
  name: 'parley' | 'bare',
  parts: { counters: Counters; tracker: Tracker; pacer: ReturnType<typeof createPacer>; close(): void },
): Lane => ({
  name,
  counters: parts.counters,
  start: parts.pacer.start,
  async stop() {
    parts.pacer.stop();
    await until(() => parts.tracker.size() === 0, 3000);
    parts.counters.missing = parts.tracker.size();
  },
  close: parts.close,
});

type Waiting = { free: HttpConnection[]; queue: string[] };

const openSenders = async (port: number, slots: number, counters: Counters): Promise<Waiting> => {
  const senders: Waiting = { free: [], queue: [] };
  for (let slot = 0; slot < slots; slot++) {
    const http = await openHttp(port);
    http.onReply = (status) => {
      if (status === 201) counters.acks += 1;
      else countError(counters, `a send was answered with ${status}`);
      const next = senders.queue.shift();
      if (next !== undefined) http.send(next);
      else senders.free.push(http);
    };
    senders.free.push(http);
  }
  return senders;
};

/** Sends go to `target`; the watchers are there too, or at another server. */
export const openParleyRateLane = async (
  target: ParleyTarget,
  shape: Shape,
  perSecond: number,
  watchedAt = target,
): Promise<Lane> => {
  const counters = createCounters();
  const tracker = createTracker(counters, shape.watchers);
  const onData = ({
    matched,
    bytes,
    text,
  }: {
    matched: boolean;
    bytes: number;
    text: string | undefined;
  }) => {
    if (!matched || text === undefined) return;
    counters.bytes += bytes;
    const event = JSON.parse(text) as { message: { id: string } };
    tracker.arrived(event.message.id);
  };
  const { rooms, close } = await openRooms({
    ...{ targets: [watchedAt], shape, counters, onData, decode: true },
  });
  const senders = await Promise.all(
    rooms.map(async (room, index) => ({
      template: sendTemplate(target, `${room.path}/message`, userId(index * shape.watchers)),
      pool: await openSenders(target.port, shape.inFlight, counters),
    })),
  );
  const pacer = createPacer(perSecond, (index) => {
    const sender = senders[index % senders.length];
    if (sender === undefined) return;
    const id = randomUUID();
    // The clock starts before a wait for a free connection, so that a slow server is not spared the wait.
    tracker.begin(id);
    const http = sender.pool.free.pop();
    if (http === undefined) sender.pool.queue.push(sender.template(id));
    else http.send(sender.template(id));
  });
  const closeAll = () => {
    for (const { pool } of senders) for (const http of pool.free) http.close();
    close();
  };
  return laneOf('parley', { counters, tracker, pacer, close: closeAll });
};

export const openBareRateLane = async (
  target: BareTarget,
  shape: Shape,
  perSecond: number,
): Promise<Lane> => {
  const counters = createCounters();
  const tracker = createTracker(counters, shape.watchers);
  const senders: WsConnection[] = [];
  const all: WsConnection[] = [];
  await inParallel(shape.rooms * shape.watchers, 16, async (index) => {
    const room = Math.floor(index / shape.watchers);
    const ws = await openWs({
      port: target.port,
      path: `/rate-${shape.channelPrefix}-${room}`,
      onData: ({ bytes, text }) => {
        counters.bytes += bytes;
        if (text !== undefined) tracker.arrived(text.slice(0, 36));
      },
      onClosed: (code) => countError(counters, `the bare server closed a connection with ${code}`),
    });
    ws.keep(true);
    all.push(ws);
    if (index % shape.watchers === 0) senders[room] = ws;
  });
  const pacer = createPacer(perSecond, (index) => {
    const id = randomUUID();
    tracker.begin(id);
    counters.acks += 1;
    senders[index % senders.length]?.write(clientFrame(id.padEnd(textBytes, 'x')));
  });
  const close = () => {
    for (const ws of all) ws.close();
  };
  return laneOf('bare', { counters, tracker, pacer, close });
};
