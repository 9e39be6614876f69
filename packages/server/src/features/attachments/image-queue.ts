import { ParleyError } from '@parley/protocol';

type Job = { run: () => Promise<void>; refuse: (error: ParleyError) => void };

export type ImageQueueLimits = {
  /** Jobs that run beside each other; of one person never more than one. */
  atOnce: number;
  waitingPerPerson: number;
  waiting: number;
};

/** How many people's used time is remembered while the line never empties. */
const mostRemembered = 1000;

const tooMany = (): ParleyError =>
  new ParleyError('RateLimited', 'Too many images of this user are waiting: try again in a moment');
const full = (): ParleyError =>
  new ParleyError('Unavailable', 'Too many images are waiting to be read: try again in a moment');

/** One job of a person at a time, and next whoever has used the least time: whoever sends images that take long waits for their
 * own. In a full line the newest job of whoever has the most waiting gives way, so that few people cannot keep out the others. */
export class ImageQueue {
  #limits: ImageQueueLimits;
  #now: () => number;
  /** The waiting jobs by user, in the order in which the users came or were last served. */
  #waiting = new Map<string, Job[]>();
  #busy = new Set<string>();
  /** Milliseconds that each person's jobs took, forgotten when nobody waits. */
  #used = new Map<string, number>();
  #count = 0;

  constructor(limits: ImageQueueLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Refuses one more where the line is full. */
  check(person: string): void {
    const own = this.#waiting.get(person)?.length ?? 0;
    if (own >= this.#limits.waitingPerPerson) throw tooMany();
    // A person with one more than the other would have does not give way: the two would only change places.
    if (this.#count >= this.#limits.waiting && this.#longest()[1].length <= own + 1) throw full();
  }

  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    this.check(person);
    if (this.#count >= this.#limits.waiting) this.#giveWay();
    return new Promise<T>((resolve, reject) => {
      const job: Job = { run: () => work().then(resolve, reject), refuse: reject };
      const jobs = this.#waiting.get(person);
      if (jobs) jobs.push(job);
      else this.#waiting.set(person, [job]);
      this.#count++;
      this.#startNext();
    });
  }

  #longest(): [person: string, jobs: Job[]] {
    let longest: [string, Job[]] = ['', []];
    for (const entry of this.#waiting) if (entry[1].length > longest[1].length) longest = entry;
    return longest;
  }

  #giveWay(): void {
    const [, jobs] = this.#longest();
    const job = jobs.pop();
    if (!job) return;
    this.#count--;
    job.refuse(tooMany());
  }

  /** The user without a running job who has used the least time; of equals, the one who waited longest. */
  #next(): [person: string, jobs: Job[]] | undefined {
    let next: [string, Job[]] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const entry of this.#waiting) {
      const used = this.#used.get(entry[0]) ?? 0;
      if (this.#busy.has(entry[0]) || used >= least) continue;
      next = entry;
      least = used;
    }
    return next;
  }

  /** Starts as many as there is room for. */
  #startNext(): void {
    while (this.#busy.size < this.#limits.atOnce) {
      const next = this.#next();
      const job = next?.[1].shift();
      if (!next || !job) return;
      const [person, jobs] = next;
      // The person goes behind the others: among equals the next turn is theirs.
      this.#waiting.delete(person);
      if (jobs.length > 0) this.#waiting.set(person, jobs);
      this.#count--;
      this.#start(person, job);
    }
  }

  #start(person: string, job: Job): void {
    this.#busy.add(person);
    const begun = this.#now();
    void job.run().finally(() => {
      this.#busy.delete(person);
      this.#remember(person, this.#now() - begun);
      this.#startNext();
    });
  }

  #remember(person: string, ms: number): void {
    const used = (this.#used.get(person) ?? 0) + ms;
    this.#used.delete(person);
    if (this.#count === 0 && this.#busy.size === 0) this.#used.clear();
    else this.#used.set(person, used);
    const [oldest] = this.#used.keys();
    if (this.#used.size > mostRemembered && oldest !== undefined) this.#used.delete(oldest);
  }
}
