import type pg from 'pg';
import type { Kernel } from '../../kernel.ts';
import { commitBatch, type PlacedBatch, type Sent, type Waiting } from './commit-batch.ts';
import type { Prepared } from './prepare.ts';

const mostPerCommit = 400;
/** While one lane waits for the disk the other fills. A channel stays in its lane, so lanes never wait for each other. */
const lanes = 2;
const uniqueViolation = '23505';
const deadlock = '40P01';

type Counts = { commits: number; messages: number };

/** Sends that arrive while a commit is in flight share the next one: one transaction, one flush to disk for all. */
class Lane {
  #kernel: Kernel;
  #counts: Counts;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #connection: Promise<pg.Client> | undefined;

  constructor(kernel: Kernel, counts: Counts) {
    this.#kernel = kernel;
    this.#counts = counts;
  }

  push(waiting: Waiting): void {
    this.#queue.push(waiting);
    this.#running ??= this.#pump();
  }

  async stop(): Promise<void> {
    await this.#running;
    await this.#dropConnection();
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, mostPerCommit);
      this.#queue = this.#queue.slice(mostPerCommit);
      await this.#run(batch, true);
    }
    this.#running = undefined;
  }

  async #run(batch: Waiting[], mayRetry: boolean): Promise<void> {
    try {
      this.#connection ??= this.#kernel.pools.connectPipelined();
      this.#tell(await commitBatch(await this.#connection, batch, this.#kernel.now));
    } catch (error) {
      const { code } = error as { code?: string };
      // Another server stored one of these ids in between: the second look finds it.
      if (mayRetry && (code === uniqueViolation || code === deadlock)) return this.#run(batch, false);
      await this.#dropConnection();
      for (const waiting of batch) waiting.reject(error);
    }
  }

  #tell({ placed, answered }: PlacedBatch): void {
    this.#counts.commits++;
    this.#counts.messages += placed.length;
    for (const { row, eventJson } of placed)
      this.#kernel.bus.publish({ kind: 'channel', cid: row.cid, type: 'message.new', json: eventJson });
    for (const { waiting, messageJson } of placed) waiting.resolve({ json: messageJson });
    for (const answer of answered) answer();
  }

  async #dropConnection(): Promise<void> {
    const old = this.#connection;
    this.#connection = undefined;
    await old?.then((client) => client.end()).catch(() => undefined);
  }
}

const laneOf = (cid: string): number => {
  let hash = 0;
  for (let index = 0; index < cid.length; index++) hash = (hash * 31 + cid.charCodeAt(index)) | 0;
  return Math.abs(hash) % lanes;
};

export type GroupCommit = {
  send(message: Prepared): Promise<Sent>;
  stop(): Promise<void>;
  counts: Counts;
};

export const createGroupCommit = (kernel: Kernel): GroupCommit => {
  const counts = { commits: 0, messages: 0 };
  const all = Array.from({ length: lanes }, () => new Lane(kernel, counts));
  return {
    counts,
    send: (message) =>
      new Promise((resolve, reject) => {
        all[laneOf(message.cid)]?.push({ message, resolve, reject });
      }),
    async stop() {
      await Promise.all(all.map((lane) => lane.stop()));
    },
  };
};
