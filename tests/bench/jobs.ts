/** The jobs of the load generator; one job per generator process. */
export type Plan = { rounds: number; warmMs: number; measureMs: number };

export type ParleyTarget = { port: number; apiKey: string; apiSecret: string; pid: number };
export type BareTarget = { port: number; pid: number };

/** Rooms of watchers, the first `senders` of each also send, each with `inFlight` sends at a time. */
export type Shape = {
  channelType: string;
  channelPrefix: string;
  rooms: number;
  watchers: number;
  senders: number;
  inFlight: number;
};

/** The poll of each room, and the message that carries it. */
export type VotePlace = { messageId: string; pollId: string };
export const pollOptions = ['soup', 'salad', 'bread', 'rice'].map((id) => ({ id, text: `Option ${id}` }));

/** A POST of one user. */
export type Question = { path: string; body: string };

export type Job =
  | { kind: 'broadcast'; plan: Plan; shape: Shape; parley: ParleyTarget; bare: BareTarget }
  | {
      kind: 'rate';
      plan: Plan;
      shape: Shape;
      parley: ParleyTarget;
      bare: BareTarget;
      perSecond: number;
      databaseUrl: string;
    }
  | {
      kind: 'history';
      plan: Plan;
      clients: number;
      prefill: number;
      channelId: string;
      userId: string;
      parley: ParleyTarget;
      databaseUrl: string;
    }
  | {
      kind: 'search';
      plan: Plan;
      clients: number;
      user: string;
      parley: ParleyTarget;
      questions: Question[];
      pages: Question[];
    }
  | { kind: 'cost'; plan: Plan; shape: Shape; parley: ParleyTarget; without: ParleyTarget }
  | {
      kind: 'votes';
      plan: Plan;
      shape: Shape;
      parley: ParleyTarget;
      perSecond: number;
      places: VotePlace[];
    }
  | {
      kind: 'location';
      plan: Plan;
      moving: Shape;
      still: Shape;
      parley: ParleyTarget;
      perSecond: number;
      everyMs: number;
    }
  /** Servers among which the watchers and the senders are spread, beside one that is alone. */
  | {
      kind: 'servers';
      plan: Plan;
      shape: Shape;
      parley: [ParleyTarget, ...ParleyTarget[]];
      alone: ParleyTarget;
      databaseUrls: { parley: string; alone: string };
    }
  /** Sends to one server, and their watchers at another; beside them watchers at the same, where there are some. */
  | {
      kind: 'crossing';
      plan: Plan;
      shape: Shape;
      perSecond: number;
      from: ParleyTarget;
      to: ParleyTarget;
      isCompared: boolean;
    }
  /** Sends to many channels that are all watched at the server; the runner measures between the phases. */
  | { kind: 'watched'; channels: number; users: number; perSecond: number; parley: ParleyTarget }
  | { kind: 'commits'; plan: Plan; connections: number; databaseUrl: string }
  | { kind: 'idle'; connections: number; warmConnections: number; parley: ParleyTarget; bare: BareTarget };

export type LaneName = 'parley' | 'bare' | 'sql';

export type LaneResult = {
  /** Acknowledged operations a second: the median of the rounds. */
  perSecond: number;
  deliveriesPerSecond: number;
  rounds: number[];
  p50: number;
  p95: number;
  p99: number;
  samples: number;
  bytesPerDelivery: number;
  /** The time of one acknowledged operation, where it was measured: the median of the rounds. */
  processorMs: number;
  /** The part of it that the database used. */
  databaseMs: number;
  commits: number;
  /** Deliveries that were due for an acknowledged send and did not come. */
  missing: number;
  errors: number;
  /** Sockets that the server closed. */
  closed: number;
};

export type JobResult = Partial<Record<LaneName, LaneResult>>;

/** The results of ingesting message events; speeds are events a second, by round and then by run. */
export type IngestResult = {
  channels: number;
  members: number;
  perRound: number;
  client: [first: number[], second: number[]];
  parse: [first: number[], second: number[]];
  /** Heap a message that the client holds at the end, and how many those are. */
  bytes: number;
  held: number;
  /** Heap a message where each is kept as it was parsed. */
  parsedBytes: number;
};

/** 200 bytes, as in every measurement. */
export const textBytes = 200;

/**
 * The payload of a bare broadcast. A message.new event with a text of 200 bytes has about this many, so both
 * servers move the same bytes; the report shows what an event of Parley really had.
 */
export const bareFrameBytes = 600;

export const userId = (index: number): string => `bench-user-${index}`;
export const channelId = (shape: Pick<Shape, 'channelPrefix'>, room: number): string =>
  `${shape.channelPrefix}-${room}`;
