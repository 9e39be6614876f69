import type pg from 'pg';
import type { Link, LinkListener } from '../bus/link.ts';
import { packTexts, unpackTexts } from '../bus/packed-texts.ts';
import { commitUnflushed, holdPlace, listenToServers, notifyServers } from '../db/notifications.ts';
import type { Clock } from '../lib/clock.ts';

type Deps = {
  /** A connection of its own that sends statements without waiting for the last one. */
  connect(): Promise<pg.Client>;
  clock: Clock;
  warn(details: object, text: string): void;
};

/** A notification of PostgreSQL holds less than 8 000 bytes. */
const mostBytes = 7900;
const reconnectMs = 200;

/** Packs texts, as many as a notification holds, in order. */
export const packNotifications = (texts: readonly string[]): string[] => packTexts(texts, mostBytes);

/** Notifications of the database that is there anyway: every server receives every text. Texts that come while a statement is under
 * way share the next. */
export class NotifyLink implements Link {
  readonly isBroadcast = true;
  readonly mostBytes = mostBytes - 1;
  #deps: Deps;
  #client: pg.Client | undefined;
  #listener: LinkListener | undefined;
  #isStopped = true;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(listener: LinkListener): Promise<void> {
    this.#listener = listener;
    this.#isStopped = false;
    await this.#open();
  }

  send(_subject: unknown, text: string): boolean {
    if (!this.#client) return false;
    this.#waiting.push(text);
    this.#sendSoon();
    return true;
  }

  subscribe(): void {}

  unsubscribe(): void {}

  async settled(): Promise<void> {}

  isUp(): boolean {
    return this.#client !== undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#sending;
    await this.#client?.end();
  }

  #sendSoon(): void {
    this.#sending ??= this.#drain()
      // The connection ends with it: what was lost is healed by the log.
      .catch((error: unknown) => this.#deps.warn({ err: error }, 'texts for other servers were not sent'))
      .finally(() => {
        this.#sending = undefined;
        if (this.#client && this.#waiting.length > 0) this.#sendSoon();
      });
  }

  async #drain(): Promise<void> {
    while (this.#client && this.#waiting.length > 0) {
      const client = this.#client;
      const texts = packNotifications(this.#waiting);
      this.#waiting = [];
      await Promise.all(texts.map((text) => notifyServers(client, text)));
    }
  }

  async #open(): Promise<void> {
    const client = await this.#deps.connect();
    try {
      // Texts are hints: a commit that carries some waits for no disk.
      await commitUnflushed(client);
      client.on('notification', ({ payload }) => this.#onNotification(payload));
      await listenToServers(client);
      if (this.#listener) await holdPlace(client, this.#listener.serverId);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    if (this.#isStopped) return client.end();
    client.once('end', () => this.#onEnd());
    this.#client = client;
  }

  #onNotification(payload = ''): void {
    for (const text of unpackTexts(payload)) this.#listener?.onText(text);
  }

  #onEnd(): void {
    this.#client = undefined;
    // A text of before the break would arrive after those that heal it.
    this.#waiting = [];
    this.#openSoon();
  }

  #openSoon(): void {
    if (this.#isStopped) return;
    this.#deps.clock.setTimeout(() => {
      if (this.#isStopped) return;
      this.#open().then(
        () => {
          if (this.#client) this.#listener?.onUp();
        },
        (error: unknown) => {
          this.#deps.warn({ err: error }, 'texts of other servers do not arrive at the moment');
          this.#openSoon();
        },
      );
    }, reconnectMs);
  }
}
