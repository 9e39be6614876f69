import { randomUUID } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import type { Sender } from './sender.ts';

type Answer = { result?: unknown; error?: string };
/** A handler says itself which arguments it takes: those that the same version of the server sends. */
type Handler = { answer(args: unknown): Promise<unknown> }['answer'];
type Asked = { serverId: string; answer(given: Answer): void; fail(reason: NoAnswer): void };

const answerMs = 3000;

/** No answer came: the server is gone, or it was silent for too long. */
export class NoAnswer extends Error {
  readonly isGone: boolean;
  constructor(isGone: boolean) {
    super(isGone ? 'The server is gone' : 'The server does not answer');
    this.isGone = isGone;
  }
}

/** Questions to another server, such as to watch a channel by a connection that it holds. */
export class Questions {
  #sender: Pick<Sender, 'send'>;
  #isAlive: (serverId: string) => boolean;
  #handlers = new Map<string, Handler>();
  #asked = new Map<string, Asked>();

  constructor(sender: Pick<Sender, 'send'>, isAlive: (serverId: string) => boolean) {
    this.#sender = sender;
    this.#isAlive = isAlive;
  }

  handle(call: string, handler: Handler): void {
    this.#handlers.set(call, handler);
  }

  /** Throws `NoAnswer` where none comes in time, and `Unavailable` where the other server failed. */
  async ask(serverId: string, call: string, args: unknown, ms = answerMs): Promise<unknown> {
    if (!this.#isAlive(serverId)) throw new NoAnswer(true);
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(() => reject(new NoAnswer(false)), ms).unref();
      this.#asked.set(id, { serverId, answer: resolve, fail: reject });
      this.#sender.send(`server ${serverId}`, { kind: 'ask', to: serverId, id, call, args });
    }).finally(() => {
      clearTimeout(timer);
      this.#asked.delete(id);
    });
    if (answer.error !== undefined)
      throw new ParleyError('Unavailable', 'The server that holds the connection failed');
    return answer.result;
  }

  async onAsk(from: string, { id, call, args }: { id: string; call: string; args: unknown }): Promise<void> {
    const handler = this.#handlers.get(call);
    const answer: Answer = await (handler?.(args) ?? Promise.reject(new Error(`No call ${call}`))).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: String(error) }),
    );
    this.#sender.send(`server ${from}`, { kind: 'answer', to: from, id, ...answer });
  }

  onAnswer(id: string, answer: Answer): void {
    this.#asked.get(id)?.answer(answer);
  }

  /** A server that is gone answers nothing any more. */
  onGone(serverId: string): void {
    for (const asked of [...this.#asked.values()])
      if (asked.serverId === serverId) asked.fail(new NoAnswer(true));
  }
}
