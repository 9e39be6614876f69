import { type BareTarget, type Shape, textBytes } from '../jobs.ts';
import { countError, createCounters } from './counters.ts';
import { inParallel, type Lane, until } from './rounds.ts';
import { clientFrame, openWs, type WsConnection } from './sockets.ts';

type Sender = { ws: WsConnection; frame: Buffer; sentAt: number[] };

/** The letter by which a sender knows its own echo among the frames of its room. */
const markOf = (sender: number): number => 65 + sender;

/** Closed loop over the bare server: a send is counted when its sender gets its own copy of the broadcast. */
export const openBareLane = async (target: BareTarget, shape: Shape): Promise<Lane> => {
  const counters = createCounters();
  const state = { running: false, inFlight: 0 };
  const senders: Sender[] = [];
  const all: WsConnection[] = [];

  const send = (sender: Sender) => {
    state.inFlight += 1;
    sender.sentAt.push(performance.now());
    sender.ws.write(sender.frame);
  };
  const onEcho = (sender: Sender) => {
    const sentAt = sender.sentAt.shift() ?? 0;
    state.inFlight -= 1;
    counters.acks += 1;
    if (counters.measuring) counters.latencies.push(performance.now() - sentAt);
    if (state.running) send(sender);
  };
  const open = async (room: number, place: number) => {
    const mark = place < shape.senders ? markOf(place) : 0;
    let sender: Sender | undefined;
    const ws = await openWs({
      port: target.port,
      path: `/room-${shape.channelPrefix}-${room}`,
      onData: ({ first, bytes }) => {
        counters.deliveries += 1;
        counters.bytes += bytes;
        if (sender !== undefined && first === mark) onEcho(sender);
      },
      onClosed: (code) => {
        counters.closed += 1;
        countError(counters, `the bare server closed a connection with ${code}`);
      },
    });
    all.push(ws);
    if (mark === 0) return;
    sender = { ws, frame: clientFrame(String.fromCharCode(mark).repeat(textBytes)), sentAt: [] };
    senders.push(sender);
  };
  await inParallel(shape.rooms * shape.watchers, 16, (index) =>
    open(Math.floor(index / shape.watchers), index % shape.watchers),
  );
  return {
    name: 'bare',
    counters,
    start() {
      state.running = true;
      for (const sender of senders) for (let slot = 0; slot < shape.inFlight; slot++) send(sender);
    },
    async stop() {
      state.running = false;
      await until(() => state.inFlight === 0, 5000);
      await until(() => counters.deliveries >= counters.acks * shape.watchers, 5000);
      counters.missing = Math.max(0, counters.acks * shape.watchers - counters.deliveries);
    },
    close() {
      for (const ws of all) ws.close();
    },
  };
};
