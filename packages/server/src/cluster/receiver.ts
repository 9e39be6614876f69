import type { Bus, BusEvent, StoredEvent } from '../bus/bus.ts';
import { type LimitNews, type LinkMessage, type LostUsers, readLinkText } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import type { ChannelOrder } from './channel-order.ts';
import type { Delays } from './delays.ts';
import type { Membership } from './membership.ts';
import type { Questions } from './questions.ts';
import { isStored } from './sender.ts';
import { findText, takeText } from './store.ts';
import type { UsersOnline } from './users-online.ts';

type Deps = {
  self: string;
  db: Db;
  local: Bus;
  order: ChannelOrder;
  users: UsersOnline;
  delays: Delays;
  membership: Membership;
  questions: Questions;
  /** Whether connections of this server follow the channel. */
  follows(cid: string): boolean;
  /** Whether the user has connections here. */
  holds(userId: string): boolean;
  /** Publishes an event of a channel that nobody here followed. */
  publishFirst(event: StoredEvent): void;
  /** Another server has started, or lost texts: it does not know who is online here. */
  onHello(from: string, lost: LostUsers | undefined): void;
  onLimits(news: LimitNews): void;
  onError(error: unknown): void;
};

const presenceKinds: ReadonlySet<string> = new Set(['present', 'online', 'offline']);

/** Does what the texts of other servers say. */
export class Receiver {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A text that comes by the database though there is another link, which may be cut, is no sign of life: the numbers of logs come by
   * that link alone, and a server that took the sender for alive would not look for them. */
  receive(text: string, isSign = true): void {
    try {
      this.#receive(readLinkText(text), isSign);
    } catch (error) {
      this.#deps.onError(error);
    }
  }

  #receive(message: LinkMessage, isSign: boolean): void {
    const { self, membership, order, users, onHello } = this.#deps;
    const { from } = message;
    if (from === self) return;
    if (message.kind === 'leaving') {
      membership.remove(from, false);
      return;
    }
    if (isSign) membership.receivedFrom(from);
    if (message.kind === 'event') this.#receiveEvent(message.event, message.at);
    else if (message.kind === 'logged') order.take({ cid: message.cid, seq: message.seq });
    else if (message.kind === 'beat') for (const [cid, seq] of message.seqs) order.take({ cid, seq });
    else if (message.kind === 'stored') this.#receiveStored(message, isSign);
    else if (message.kind === 'hello') onHello(from, message.lost);
    else if (message.kind === 'limits') this.#deps.onLimits(message);
    else if ('to' in message) this.#receiveDirect(message);
    // A later version that runs beside this one may say more than this one knows.
    else if (presenceKinds.has(message.kind)) users.receive(from, message);
  }

  #receiveEvent(event: BusEvent, at: number | undefined): void {
    const { local, order, follows, delays } = this.#deps;
    if (at !== undefined) delays.note(at);
    if (isStored(event)) {
      if (order.has(event.cid)) order.take({ cid: event.cid, seq: event.seq, event });
      else if (this.#concerns(event)) this.#deps.publishFirst(event);
    } else if (event.kind !== 'channel' || follows(event.cid)) local.publish(event);
  }

  /** Whether a user of this server is a new member of a channel that nobody here followed. */
  #concerns({ type, userId }: StoredEvent): boolean {
    return type === 'member.added' && userId !== undefined && this.#deps.holds(userId);
  }

  #receiveStored({ id, to }: Extract<LinkMessage, { kind: 'stored' }>, isSign: boolean): void {
    const { self, db, onError } = this.#deps;
    if (to !== undefined && to !== self) return;
    const found = to === undefined ? findText(db, id) : takeText(db, id);
    found.then((text) => text !== undefined && this.receive(text, isSign), onError);
  }

  #receiveDirect(message: Extract<LinkMessage, { to: string }>): void {
    const { self, questions, onError } = this.#deps;
    if (message.to !== self) return;
    if (message.kind === 'ask') questions.onAsk(message.from, message).catch(onError);
    else if (message.kind === 'answer') questions.onAnswer(message.id, message);
  }
}
