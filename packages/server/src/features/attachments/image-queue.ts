import { ParleyError } from '@parley/protocol';

type Job = () => Promise<void>;

export type ImageQueueLimits = {
  /** Jobs that run beside each other; of one person never more than one. */
  atOnce: number;
  waitingPerPerson: number;
  waiting: number;
};

/** One job of a person at a time, and people in turn: whoever sends images that take long waits for their own. */
export class ImageQueue {
  #limits: ImageQueueLimits;
  /** Those who wait, in the order of their turns, and what each of them waits for. */
  #waiting = new Map<string, Job[]>();
  #busy = new Set<string>();
  #count = 0;

  constructor(limits: ImageQueueLimits) {
    this.#limits = limits;
  }

  /** Refuses one more where the line is full. */
  check(person: string): void {
    if ((this.#waiting.get(person)?.length ?? 0) >= this.#limits.waitingPerPerson)
      throw new ParleyError('RateLimited', 'Too many images of this user are waiting: try again in a moment');
    if (this.#count >= this.#limits.waiting)
      throw new ParleyError('Unavailable', 'Too many images are waiting to be read: try again in a moment');
  }

  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    this.check(person);
    return new Promise<T>((resolve, reject) => {
      const run = () => work().then(resolve, reject);
      const jobs = this.#waiting.get(person);
      if (jobs) jobs.push(run);
      else this.#waiting.set(person, [run]);
      this.#count++;
      this.#startNext();
    });
  }

  /** Starts as many as there is room for. */
  #startNext(): void {
    while (this.#busy.size < this.#limits.atOnce) {
      const next = [...this.#waiting].find(([person]) => !this.#busy.has(person));
      const job = next?.[1].shift();
      if (!next || !job) return;
      const [person, jobs] = next;
      // Behind the others: the next turn is theirs.
      this.#waiting.delete(person);
      if (jobs.length > 0) this.#waiting.set(person, jobs);
      this.#count--;
      this.#start(person, job);
    }
  }

  #start(person: string, job: Job): void {
    this.#busy.add(person);
    void job().finally(() => {
      this.#busy.delete(person);
      this.#startNext();
    });
  }
}
