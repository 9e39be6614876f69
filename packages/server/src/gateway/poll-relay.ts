import { times } from '@parley/protocol';
import type { Others } from '../cluster/others.ts';
import { NoAnswer } from '../cluster/questions.ts';
import type { Owner } from '../hub/connection.ts';

type Named = { id: string; owner: Owner };
type Poll = Named & { ack: number };
/** The long-polls of this server, as another one asks for them; undefined where there is none of the owner's. */
type Here = {
  poll(id: string, owner: Owner, ack: number): Promise<string | undefined>;
  close(id: string, owner: Owner): boolean;
};

/** Longer than the holder waits for events. */
const relayMs = times.longPollWait + 2000;
/** A server that is about to end keeps no caller for long, and none in a loop without a pause. */
const drainingMs = 1000;

/** Passes polls on to the server that holds the queue. Events stay there until a later poll acknowledges them, so that an answer
 * that is lost on the way costs nothing. */
export class PollRelay {
  #questions: Others['questions'];
  /** Ends each poll that waits for another server. */
  #waiting = new Set<() => void>();
  #ms = relayMs;

  constructor(questions: Others['questions'], here: Here) {
    this.#questions = questions;
    questions.handle('poll', ({ id, owner, ack }: Poll) => here.poll(id, owner, ack));
    questions.handle('end poll', async ({ id, owner }: Named) => here.close(id, owner));
  }

  /** The answer as JSON; undefined where the connection has ended. A holder that is only silent has it still: the caller polls again. */
  async poll(holder: string, named: Poll): Promise<string | undefined> {
    const nothing = `{"events":[],"last":${named.ack}}`;
    let end = () => {};
    const ended = new Promise<string>((resolve) => {
      end = () => resolve(nothing);
      this.#waiting.add(end);
    });
    const asked = this.#questions.ask(holder, 'poll', named, this.#ms).then(
      (json) => (typeof json === 'string' ? json : undefined),
      (error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        return error.isGone ? undefined : nothing;
      },
    );
    return Promise.race([asked, ended]).finally(() => this.#waiting.delete(end));
  }

  /** Whether the connection was there. */
  async close(holder: string, named: Named): Promise<boolean> {
    const isClosed = await this.#questions.ask(holder, 'end poll', named).catch((error: unknown) => {
      if (error instanceof NoAnswer) return false;
      throw error;
    });
    return isClosed === true;
  }

  /** Answers the polls that wait: their callers come back to another server. */
  drain(): void {
    this.#ms = drainingMs;
    for (const end of this.#waiting) end();
  }
}
