import type { BusEvent, StoredEvent } from '../bus/bus.ts';
import type { Link, Subject } from '../bus/link.ts';
import { type Outgoing, writeLinkText } from '../bus/link-text.ts';
import type { Db } from '../db/schema.ts';
import { storeText } from './store.ts';

type Deps = { self: string; link: Link; db: Db; onError(error: unknown): void };

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

/** Sends texts to the other servers. */
export class Sender {
  #deps: Deps;
  /** The last numbers of channels since each of the latest signs of life. */
  #recent: Map<string, number>[] = [new Map()];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  send(subject: Subject, message: Outgoing): void {
    this.#sendText([subject], message);
  }

  forward(event: BusEvent): void {
    if (isStored(event)) this.#recent[0]?.set(event.cid, event.seq);
    // A server that holds several of the users hears a text for each: each names one of them.
    if (event.kind === 'users' && !this.#deps.link.isBroadcast)
      for (const id of event.userIds)
        this.#sendText([`user ${id}`], { kind: 'event', event: { ...event, userIds: [id] } });
    else this.#sendText(subjectsOf(event), { kind: 'event', event });
  }

  /** A sign of life. A server that missed an event finds its number here. */
  beat(): void {
    const seqs = new Map(this.#recent.toReversed().flatMap((one) => [...one]));
    this.#recent = [new Map(), ...this.#recent].slice(0, repeatedBeats);
    this.send('all', { kind: 'beat', seqs: [...seqs] });
  }

  #sendText(subjects: readonly Subject[], message: Outgoing): void {
    const { self, link } = this.#deps;
    const text = writeLinkText(self, message);
    const targets = link.isBroadcast ? subjects.slice(0, 1) : subjects;
    if (text.length * 3 <= link.mostBytes || Buffer.byteLength(text) <= link.mostBytes)
      for (const subject of targets) link.send(subject, text);
    else this.#sendLong(targets, message, text);
  }

  #sendLong(targets: readonly Subject[], message: Outgoing, text: string): void {
    const { db, onError } = this.#deps;
    // A server that does not follow the channel yet reads no log of it: the one of a new member needs the event.
    if (message.kind === 'event' && isStored(message.event) && message.event.type !== 'member.added') {
      const { cid, seq } = message.event;
      this.#sendText(targets, { kind: 'logged', cid, seq });
    } else if (message.kind === 'beat') {
      const half = Math.ceil(message.seqs.length / 2);
      for (const seqs of [message.seqs.slice(0, half), message.seqs.slice(half)])
        this.#sendText(targets, { kind: 'beat', seqs });
    } else storeText(db, text).then((id) => this.#sendText(targets, { kind: 'stored', id }), onError);
  }
}
