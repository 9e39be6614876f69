type Deps = {
  isShared(): boolean;
  store(counts: ReadonlyMap<string, number>): Promise<void>;
  countElsewhere(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  onError(error: unknown): void;
};

const storeMs = 250;
/** A statement takes at most 65 535 values, and a row has three. */
const keysPerStatement = 5000;

/** Numbers of this server that count together with those of the others: the watchers of a channel, the connections of a user. A change
 * is stored a moment later; alone nothing is. */
export class StoredCounts {
  #deps: Deps;
  #counts = new Map<string, number>();
  #changed = new Set<string>();
  /** Those that the others see. Alone nothing is stored, and a number that ends then would stand for as long as this server lives. */
  #stored = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  #isReleased = false;
  #isStopped = false;
  #next: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  set(key: string, count: number): void {
    if (this.#isReleased) return;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
    if (!this.#deps.isShared()) return;
    this.#changed.add(key);
    this.#storeSoon();
  }

  /** Another server is there, or took this one for dead: it knows none of these counts. */
  storeAll(): void {
    for (const keys of [this.#counts.keys(), this.#stored]) for (const key of keys) this.#changed.add(key);
    this.#storeSoon();
  }

  /** Stores what has changed, without waiting for more. */
  async storeNow(): Promise<void> {
    if (this.#changed.size > 0 && this.#deps.isShared()) await this.#store();
  }

  /** From here on none of them counts, also those that come yet. */
  async release(): Promise<void> {
    this.#isReleased = true;
    // Also those that are being stored at this moment.
    const keys = [...this.#counts.keys(), ...this.#stored];
    this.#counts.clear();
    if (!this.#deps.isShared()) return;
    for (const key of keys) this.#changed.add(key);
    try {
      await this.#store();
    } catch (error) {
      this.#storeSoon();
      throw error;
    }
  }

  async elsewhere(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { isShared, countElsewhere } = this.#deps;
    return isShared() && keys.length > 0 ? countElsewhere(keys) : new Map();
  }

  /** The number elsewhere, after the own one is stored. */
  async storeAndCount(key: string): Promise<number> {
    if (!this.#deps.isShared()) return 0;
    this.#changed.add(key);
    await this.#store();
    return (await this.#deps.countElsewhere([key])).get(key) ?? 0;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #storeSoon(): void {
    if (this.#isStopped || this.#changed.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#store().catch((error: unknown) => {
        this.#storeSoon();
        this.#deps.onError(error);
      });
    }, storeMs).unref();
  }

  /** One statement at a time, in order; those who come meanwhile share the next. */
  #store(): Promise<void> {
    this.#next ??= this.#storing.then(() => {
      this.#next = undefined;
      const stored = this.#storeChanged();
      this.#storing = stored.catch(() => undefined);
      return stored;
    });
    return this.#next;
  }

  async #storeChanged(): Promise<void> {
    const changed = [...this.#changed];
    for (let start = 0; start < changed.length; start += keysPerStatement)
      await this.#storeSome(changed.slice(start, start + keysPerStatement));
  }

  async #storeSome(keys: readonly string[]): Promise<void> {
    const counts = new Map(keys.map((key) => [key, this.#counts.get(key) ?? 0]));
    for (const key of keys) this.#changed.delete(key);
    try {
      await this.#deps.store(counts);
    } catch (error) {
      for (const key of keys) this.#changed.add(key);
      throw error;
    }
    for (const [key, count] of counts) {
      if (count > 0) this.#stored.add(key);
      else this.#stored.delete(key);
    }
  }
}
