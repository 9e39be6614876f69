import { randomUUID } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import type { Sender } from './sender.ts';

type Answer = { result?: unknown; error?: string };
type Handler = (args: unknown) => Promise<unknown>;

const answerMs = 3000;

/** Questions to another server, such as to watch a channel by a connection that it holds. */
export class Questions {
  #sender: Sender;
  #handlers = new Map<string, Handler>();
  #asked = new Map<string, (answer: Answer) => void>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  handle(call: string, handler: Handler): void {
    this.#handlers.set(call, handler);
  }

  /** Throws `Unavailable` where no answer comes. */
  async ask(serverId: string, call: string, args: unknown): Promise<unknown> {
    const id = randomUUID();
    const answer = await new Promise<Answer | undefined>((resolve) => {
      const timer = setTimeout(resolve, answerMs, undefined);
      this.#asked.set(id, (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      this.#sender.send(`server ${serverId}`, { kind: 'ask', to: serverId, id, call, args });
    });
    this.#asked.delete(id);
    if (answer === undefined || answer.error !== undefined)
      throw new ParleyError('Unavailable', 'The server that holds the connection does not answer');
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
    this.#asked.get(id)?.(answer);
  }
}
