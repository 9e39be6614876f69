/** The servers that receive a text: all of them, the servers that hold a user, or those with connections that follow a channel. */
export type Subject = 'all' | `user ${string}` | `channel ${string}` | `server ${string}`;

export type LinkListener = {
  /** The server that listens. */
  readonly serverId: string;
  onText(text: string): void;
  /** The link is there again after it was away: texts may have been lost. */
  onUp(): void;
};

/** The way between the servers of one deployment. A text arrives at most once, and those of one sender in order. A text that is
 * lost is healed by the log, by the table of stale entries, or by the next reload of who is online. */
export type Link = {
  /** Whether every server receives every text, so that one for several subjects is sent once. */
  readonly isBroadcast: boolean;
  /** The longest text in bytes, as it is now. */
  readonly mostBytes: number;
  /** False where it was not sent: the link is away. */
  send(subject: Subject, text: string): boolean;
  subscribe(subject: Subject): void;
  unsubscribe(subject: Subject): void;
  /** Resolves once the other side knows everything that this server wants to receive. */
  settled(): Promise<void>;
  isUp(): boolean;
  /** Resolves when the link is up, or away: then it is opened later, and `onUp` says so. */
  start(listener: LinkListener): Promise<void>;
  stop(): Promise<void>;
};
