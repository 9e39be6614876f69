import { closeCodes, limits } from '@parley/protocol';
import type { Connection } from './connection.ts';
import type { Frame } from './frame.ts';
import type { Registry, Session } from './registry.ts';

type Waiting = {
  /** Grows whenever the rules may have changed: an answer to an older question decides nothing. */
  asked: number;
  types: Set<string>;
  frames: { cid: string; frame: Frame }[];
  answer: Promise<void>;
};

type Deps = {
  registry: Registry;
  /** The types whose channels the actor may read where it is a member. */
  readableTypes(actor: Connection['actor']): Promise<ReadonlySet<string>>;
};

const typeOf = (cid: string): string => cid.slice(0, cid.indexOf(':'));

/** Decides which members that do not watch get notifications of new messages. While the rules of a type are looked at again,
 * notifications of its channels wait for the answer. */
export class MemberNotifications {
  #deps: Deps;
  #waiting = new Map<Session, Waiting>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads for which types the user of the connection is notified as a member; until then for none. */
  async start(connection: Connection): Promise<void> {
    const session = this.#deps.registry.sessionOf(connection);
    if (session) await this.#ask(session, []);
  }

  /** The rules of a type have changed. */
  async recheck(session: Session, type: string): Promise<void> {
    const { registry } = this.#deps;
    const wasNotified = session.types.has(type);
    registry.setNotifiedTypes(session, new Set([...session.types].filter((name) => name !== type)));
    await this.#ask(session, wasNotified ? [type] : []);
  }

  /** Keeps the notification for the members about whose rights there is no answer yet. */
  keep(cid: string, frame: () => Frame): void {
    if (this.#waiting.size === 0) return;
    const type = typeOf(cid);
    for (const [session, { types, frames }] of this.#waiting) {
      if (!types.has(type) || !session.cids.has(cid)) continue;
      frames.push({ cid, frame: frame() });
      if (frames.length > limits.queuedFrames)
        for (const { sink } of [...session.connections])
          sink.close(closeCodes.slowConsumer, 'too much came while rights were looked at');
    }
  }

  #ask(session: Session, types: string[]): Promise<void> {
    const known = this.#waiting.get(session);
    if (known) {
      known.asked++;
      for (const type of types) known.types.add(type);
      return known.answer;
    }
    const waiting: Waiting = { asked: 0, types: new Set(types), frames: [], answer: Promise.resolve() };
    this.#waiting.set(session, waiting);
    waiting.answer = this.#settle(session, waiting).finally(() => this.#waiting.delete(session));
    return waiting.answer;
  }

  async #settle(session: Session, waiting: Waiting): Promise<void> {
    const { registry, readableTypes } = this.#deps;
    for (let asked = -1; asked !== waiting.asked; ) {
      asked = waiting.asked;
      const [connection] = session.connections;
      if (!connection) return;
      const types = await readableTypes(connection.actor);
      if (asked === waiting.asked) registry.setNotifiedTypes(session, types);
    }
    for (const { cid, frame } of waiting.frames)
      if (session.types.has(typeOf(cid)) && session.cids.has(cid))
        for (const connection of session.connections)
          if (!connection.watching.has(cid)) connection.sink.send(frame);
  }
}
