import type { BusEvent, StoredEvent } from '../bus/bus.ts';
import type { Link, Subject } from '../bus/link.ts';
import { type LostUsers, type Outgoing, writeLinkText } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import type { Clock } from '../lib/clock.ts';
import type { Delays } from './delays.ts';
import { storeText } from './store.ts';
import { UnsureUsers } from './unsure-users.ts';

type Deps = {
  self: string;
  link: Link;
  /** The notifications of the database; the same as `link` where there is no other. */
  database: Link;
  /** Whether no text of the server came by the link for a while. */
  isSilent(serverId: string): boolean;
  db: Db;
  clock: Clock;
  delays: Pick<Delays, 'now'>;
  onError(error: unknown): void;
};

/** Signs of life repeat the numbers of this many of them. */
const repeatedBeats = 3;

export const isStored = (event: BusEvent): event is StoredEvent =>
  event.kind === 'channel' && event.seq !== undefined;

const subjectsOf = (event: BusEvent): Subject[] => {
  if (event.kind === 'channel') {
    const { cid, type, userId } = event;
    // The server of a new member may not follow the channel yet.
    return type === 'member.added' && userId ? [`channel ${cid}`, `user ${userId}`] : [`channel ${cid}`];
  }
  if (event.kind === 'users') return event.userIds.map((id): Subject => `user ${id}`);
  return ['all'];
};

/** A message in two halves; undefined where it has none. A list that is stored instead would be overtaken by the texts after it. */
const halve = (message: Outgoing): Outgoing[] | undefined => {
  if (message.kind === 'beat' && message.seqs.length > 1) {
    const half = Math.ceil(message.seqs.length / 2);
    return [message.seqs.slice(0, half), message.seqs.slice(half)].map((seqs) => ({ kind: 'beat', seqs }));
  }
  if (message.kind !== 'present' || message.userIds.length < 2) return undefined;
  const { userIds, isFirst, isLast } = message;
  const half = Math.ceil(userIds.length / 2);
  return [
    { kind: 'present', userIds: userIds.slice(0, half), isFirst, isLast: false },
    { kind: 'present', userIds: userIds.slice(half), isFirst: false, isLast },
  ];
};

/** Sends texts to the other servers. */
export class Sender {
  /** Texts that were not sent, because the link was away or could not take them. */
  readonly counts = { dropped: 0 };
  #deps: Deps;
  /** The last numbers of channels since each of the latest signs of life. */
  #recent: Map<string, number>[] = [new Map()];
  #unsure: UnsureUsers;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#unsure = new UnsureUsers(deps.clock);
  }

  send(subject: Subject, message: Outgoing): void {
    this.#sendText([subject], message);
  }

  forward(event: BusEvent): void {
    const { link, delays } = this.#deps;
    if (isStored(event)) {
      this.#recent[0]?.set(event.cid, event.seq);
      this.#sendText(subjectsOf(event), { kind: 'event', event, at: delays.now() });
      return;
    }
    this.#unsure.note(event, link.isUp());
    // A server that holds several of the users receives a text for each: each names one of them.
    if (event.kind === 'users' && !link.isBroadcast)
      for (const id of event.userIds)
        this.#sendText([`user ${id}`], { kind: 'event', event: { ...event, userIds: [id] } });
    else this.#sendText(subjectsOf(event), { kind: 'event', event });
  }

  /** The users of whom events may not have arrived, now that the link is there again; they are named once. */
  takeLost(): LostUsers | undefined {
    return this.#unsure.take();
  }

  /** A sign of life. A server that missed an event finds its number here. */
  beat(): void {
    const seqs = new Map(this.#recent.toReversed().flatMap((one) => [...one]));
    this.#recent = [new Map(), ...this.#recent].slice(0, repeatedBeats);
    this.send('all', { kind: 'beat', seqs: [...seqs] });
  }

  /** Somebody waits for the answer to a question, and no log heals it: where the bus does not reach the other server, the database does. */
  #linkFor(message: Outgoing): Link {
    const { link, database, isSilent } = this.#deps;
    const isQuestion = message.kind === 'ask' || message.kind === 'answer';
    return isQuestion && (!link.isUp() || isSilent(message.to)) ? database : link;
  }

  #sendText(subjects: readonly Subject[], message: Outgoing, link = this.#linkFor(message)): void {
    const text = writeLinkText(this.#deps.self, message);
    const targets = link.isBroadcast ? subjects.slice(0, 1) : subjects;
    if (text.length * 3 <= link.mostBytes || Buffer.byteLength(text) <= link.mostBytes) {
      for (const subject of targets) if (!link.send(subject, text)) this.counts.dropped++;
    } else this.#sendLong(targets, message, text, link);
  }

  #sendLong(targets: readonly Subject[], message: Outgoing, text: string, link: Link): void {
    const { db, onError } = this.#deps;
    const halves = halve(message);
    if (halves) for (const half of halves) this.#sendText(targets, half, link);
    // A server that does not follow the channel yet reads no log of it: the one of a new member needs the event.
    else if (message.kind === 'event' && isStored(message.event) && message.event.type !== 'member.added') {
      const { cid, seq } = message.event;
      this.#sendText(targets, { kind: 'logged', cid, seq }, link);
    } else if (message.kind === 'stored' || message.kind === 'logged') {
      this.counts.dropped++;
      onError(new Error(`The bus takes texts of ${link.mostBytes} bytes, which is too little`));
    } else {
      const to = 'to' in message ? { to: message.to } : {};
      storeText(db, text).then((id) => this.#sendText(targets, { kind: 'stored', id, ...to }, link), onError);
    }
  }
}
