import { readFile } from 'node:fs/promises';
import type { ConnectionOptions, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Link, LinkListener, Subject } from './link.ts';
import { packTexts, unpackTexts } from './packed-texts.ts';
import { SignedTexts } from './signed-texts.ts';

/** Where NATS is, and how to sign in there. */
export type BusConfig = {
  servers: string[];
  tls: boolean;
  user: string | undefined;
  pass: string | undefined;
  token: string | undefined;
  /** The certificate of the authority that signed NATS's own. */
  caFile: string | undefined;
  credentialsFile: string | undefined;
};

type Deps = {
  config: BusConfig;
  /** Servers of other deployments may use the same NATS: each deployment has subjects of its own. */
  deployment: string;
  /** The secret of the deployment, with which its servers sign what they send. */
  secret: string;
  /** The time of the database: the clocks of the machines may be hours apart. */
  now(): number;
  warn(details: object, text: string): void;
};

/** NATS takes a megabyte unless it is configured otherwise. */
const mostBytes = 900 * 1024;
const connectMs = 5000;
const pingMs = 2000;
const reopenMs = 1000;
/** Others who publish much that is not signed fill no log. */
const refusedEveryMs = 60_000;
const awayText = 'texts of other servers do not arrive at the moment';

/** A subject has no spaces, dots or wildcards that a user could choose. */
const encode = (subject: Subject): string => {
  const [kind = '', ...rest] = subject.split(' ');
  return rest.length === 0 ? kind : `${kind}.${Buffer.from(rest.join(' ')).toString('base64url')}`;
};

const optionsOf = async ({ servers, user, pass, token, tls, caFile, credentialsFile }: BusConfig) => {
  const { credsAuthenticator } = await import('@nats-io/transport-node');
  const options: ConnectionOptions = {
    servers,
    name: 'parley',
    noEcho: true,
    timeout: connectMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
  };
  if (user !== undefined) Object.assign(options, { user, pass });
  if (token !== undefined) options.token = token;
  if (credentialsFile !== undefined)
    options.authenticator = credsAuthenticator(await readFile(credentialsFile));
  if (tls) options.tls = caFile === undefined ? {} : { ca: await readFile(caFile, 'utf8') };
  return options;
};

/** NATS: a server receives only texts of the channels that its connections follow and of the users that it holds. */
export class NatsLink implements Link {
  readonly isBroadcast = false;
  #deps: Deps;
  #connection: NatsConnection | undefined;
  #options: ConnectionOptions = {};
  #isUp = false;
  #isAwaySaid = false;
  #isStopped = false;
  #listener: LinkListener | undefined;
  /** The subjects that this server wants to receive; without a subscription while there is no connection. */
  #subscriptions = new Map<Subject, Subscription | undefined>();
  #flushing: Promise<void> | undefined;
  /** Texts of channels that wait for the end of this turn. */
  #waiting = new Map<Subject, string[]>();
  #timer: NodeJS.Timeout | undefined;
  #signed: SignedTexts;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#signed = new SignedTexts({ secret: deps.secret, now: deps.now });
  }

  get mostBytes(): number {
    const most = this.#connection?.info?.max_payload ?? mostBytes;
    return Math.min(mostBytes, most - SignedTexts.mostHeadBytes);
  }

  async start(listener: LinkListener): Promise<void> {
    this.#listener = listener;
    // A file that is missing is a mistake, for which a start fails. That NATS is away is none.
    this.#options = await optionsOf(this.#deps.config);
    await this.#open().catch((error: unknown) => this.#openLater(error));
  }

  send(subject: Subject, text: string): boolean {
    // The log heals what is not sent while NATS is away.
    if (!this.#isUp || !this.#connection) return false;
    if (subject.startsWith('channel ')) {
      this.#sendSoon(subject, text);
      return true;
    }
    // A text about users, caches or the server itself keeps its place among the events of channels.
    this.#sendWaiting();
    return this.#publish(subject, text);
  }

  subscribe(subject: Subject): void {
    if (!this.#subscriptions.has(subject)) this.#subscriptions.set(subject, this.#subscriptionTo(subject));
  }

  unsubscribe(subject: Subject): void {
    this.#subscriptions.get(subject)?.unsubscribe();
    this.#subscriptions.delete(subject);
  }

  /** One round trip for all who ask meanwhile. While NATS is away nobody waits for it: the log is looked at instead. */
  settled(): Promise<void> {
    if (!this.#isUp || !this.#connection) return Promise.resolve();
    this.#flushing ??= this.#connection
      .flush()
      .catch(() => undefined)
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  isUp(): boolean {
    return this.#isUp;
  }

  async stop(): Promise<void> {
    this.#sendWaiting();
    this.#isStopped = true;
    this.#isUp = false;
    clearTimeout(this.#timer);
    await this.#connection?.drain().catch(() => undefined);
  }

  /** A commit stores several events of a channel at once: they travel as one message, which costs all three programs less. */
  #sendSoon(subject: Subject, text: string): void {
    if (this.#waiting.size === 0) queueMicrotask(() => this.#sendWaiting());
    const texts = this.#waiting.get(subject);
    if (texts) texts.push(text);
    else this.#waiting.set(subject, [text]);
  }

  #sendWaiting(): void {
    if (this.#waiting.size === 0) return;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const [subject, texts] of waiting)
      for (const packed of texts.length === 1 ? texts : packTexts(texts, this.mostBytes))
        this.#publish(subject, packed);
  }

  #publish(subject: Subject, text: string): boolean {
    try {
      const name = this.#nameOf(subject);
      this.#connection?.publish(name, this.#signed.sign(this.#listener?.serverId ?? '', name, text));
      return true;
    } catch (error) {
      this.#deps.warn({ err: error }, 'a text for other servers was not sent');
      return false;
    }
  }

  #nameOf(subject: Subject): string {
    return `parley.${this.#deps.deployment}.${encode(subject)}`;
  }

  /** A connection that has closed for good takes no subscriptions: the next one gets them all. */
  #subscriptionTo(subject: Subject): Subscription | undefined {
    if (!this.#connection || this.#connection.isClosed()) return undefined;
    return this.#connection.subscribe(this.#nameOf(subject), {
      callback: (error, message) => {
        if (error) this.#deps.warn({ err: error }, awayText);
        else this.#take(message.subject, message.string());
      },
    });
  }

  #take(name: string, signed: string): void {
    const text = this.#signed.read(name, signed);
    if (text !== undefined) for (const one of unpackTexts(text)) this.#listener?.onText(one);
    else if (performance.now() - this.#refusedAt > refusedEveryMs) {
      this.#refusedAt = performance.now();
      const reason =
        'it is of somebody else, of a server with another secret or a wrong clock, or it was sent again';
      this.#deps.warn({ subject: name, reason }, 'a text on the bus was refused');
    }
  }

  async #open(): Promise<void> {
    const { connect } = await import('@nats-io/transport-node');
    const connection = await connect(this.#options);
    if (this.#isStopped) return connection.close();
    this.#connection = connection;
    this.#isAwaySaid = false;
    for (const subject of this.#subscriptions.keys())
      this.#subscriptions.set(subject, this.#subscriptionTo(subject));
    this.#isUp = true;
    void this.#follow(connection);
    void connection.closed().then((error) => {
      if (this.#isStopped) return;
      this.#isUp = false;
      this.#connection = undefined;
      this.#openLater(error);
    });
  }

  #openLater(reason: unknown): void {
    if (!this.#isAwaySaid) this.#deps.warn({ err: reason }, awayText);
    this.#isAwaySaid = true;
    this.#timer = setTimeout(() => {
      this.#open().then(
        () => this.#listener?.onUp(),
        (error: unknown) => this.#openLater(error),
      );
    }, reopenMs).unref();
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (this.#isStopped) return;
      if (type === 'disconnect' || type === 'staleConnection') this.#isUp = false;
      else if (type === 'reconnect' || type === 'slowConsumer') {
        this.#isUp = true;
        this.#listener?.onUp();
      }
    }
  }
}
