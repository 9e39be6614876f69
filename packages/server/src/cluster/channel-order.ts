import type { StoredEvent } from '../bus/bus.ts';
import type { Clock } from '../lib/clock.ts';

/** A place in the log of a channel: with its event where the event was sent along. What this server stored is its own. */
type Place = { cid: string; seq: number; event?: StoredEvent | undefined; isOwn?: boolean };

/** The log of a channel, and its last number. A channel that is made anew under the same id has another log. */
export type LogEnd = { logId: string; seq: number };

type Deps = {
  clock: Clock;
  /** Gives the event to this server's own listeners. */
  publish(event: StoredEvent): void;
  /** The logs of the channels that exist. */
  readEnds(cids: string[]): Promise<ReadonlyMap<string, LogEnd>>;
  /** The events after the number, in order; undefined where the log no longer reaches back that far, or is another. */
  readAfter(cid: string, seq: number, logId: string | undefined): Promise<StoredEvent[] | undefined>;
  /** The channel is gone, and with it the log that said so. */
  onDeleted(cid: string): void;
  /** Events were left out, or the log is another: connections must read the channel anew. */
  onBroken(cid: string): void;
  /** An event was read from the log because it did not arrive. */
  onHealed(event: StoredEvent): void;
  onError(error: unknown): void;
};

type Slot = {
  /** The last number that was published here; undefined while the log is asked. */
  last: number | undefined;
  /** The last number before the order began. */
  first: number;
  logId: string | undefined;
  /** The log has ended: what comes now may be of the next one. */
  isDeleted: boolean;
  /** The places after `last`, with their events where they came along. */
  waiting: Map<number, StoredEvent | undefined>;
  isReading: boolean;
  /** How often in a row the log could not be read though the database answered. */
  failures: number;
  /** Connections know events of the log before this order began anew. */
  isAnew: boolean;
  timer: { stop(): void } | undefined;
};

/** Events of two servers cross on their way: the log is read only after this time. */
const holeMs = 25;
const retryMs = 250;
const cidsPerRead = 2000;
/** An event that cannot be read after so many tries would hold back the whole channel for good. */
const mostFailures = 8;

const createSlot = (): Slot => ({
  ...{ last: undefined, first: 0, logId: undefined, isDeleted: false },
  ...{ waiting: new Map(), isReading: false, failures: 0, isAnew: false, timer: undefined },
});

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** Publishes the events of channels in the order of their numbers, each once, whichever server stored them. An event that did not
 * arrive is read from the log. It knows the channels that connections of this server follow, and no others. */
export class ChannelOrder {
  /** Holes that were closed by reading the log, and those that the log no longer had. */
  readonly counts = { healed: 0, lost: 0 };
  #deps: Deps;
  #slots = new Map<string, Slot>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#slots.size;
  }

  has(cid: string): boolean {
    return this.#slots.has(cid);
  }

  /** From now on the events of these channels are published in order. Resolves when the numbers are known from which on. */
  async begin(cids: readonly string[]): Promise<void> {
    const fresh = cids.filter((cid) => !this.#slots.has(cid));
    for (const cid of fresh) this.#slots.set(cid, createSlot());
    for (const some of chunks(fresh, cidsPerRead)) await this.#learn(some);
  }

  /** The channel is followed since this event, and those after it may have been sent before. */
  beginAfter(cid: string, seq: number): void {
    const slot = this.#slots.get(cid);
    if (!slot || slot.last !== undefined) return;
    slot.last = seq;
    slot.first = seq;
    for (const early of [...slot.waiting.keys()].filter((one) => one <= seq)) slot.waiting.delete(early);
    this.#advance(cid, slot);
  }

  end(cid: string): void {
    this.#slots.get(cid)?.timer?.stop();
    this.#slots.delete(cid);
  }

  endAll(): void {
    for (const cid of [...this.#slots.keys()]) this.end(cid);
  }

  /** An event was stored, here or elsewhere. */
  take({ cid, seq, event, isOwn }: Place): void {
    const slot = this.#slots.get(cid);
    // Signs of life still name the last numbers of a log that has ended.
    if (!slot || (slot.isDeleted && !slot.isReading && event === undefined)) return;
    if (slot.last !== undefined && seq <= slot.last) {
      // It was stored before the order began, and its own publication was still to come.
      if (isOwn && event && seq <= slot.first) this.#deps.publish(event);
      return;
    }
    if (event !== undefined || !slot.waiting.has(seq)) slot.waiting.set(seq, event);
    if (slot.last !== undefined) this.#advance(cid, slot);
    else if (slot.isDeleted && !slot.isReading) this.#lookForNext(cid, slot);
  }

  /** Looks at the log of every channel, or of these: for the time when texts may have been lost. */
  async compare(cids: readonly string[] = [...this.#slots.keys()]): Promise<void> {
    for (const some of chunks(cids, cidsPerRead)) {
      const before = new Map(some.map((cid) => [cid, this.#slots.get(cid)?.last]));
      const ends = await this.#deps.readEnds(some);
      for (const cid of some) this.#compareOne(cid, ends.get(cid), before.get(cid));
    }
  }

  #compareOne(cid: string, end: LogEnd | undefined, before: number | undefined): void {
    const slot = this.#slots.get(cid);
    if (!slot) return;
    if (end === undefined) {
      if (!slot.isDeleted && slot.logId !== undefined && before !== undefined) this.#endLog(cid, slot);
    } else if (slot.isDeleted) {
      slot.logId ??= end.logId;
      if (end.logId !== slot.logId && !slot.isReading) this.#beginNext(cid, slot, end);
    } else if (slot.last === undefined || before === undefined) return;
    // The channel was deleted and made anew, or a backup took the place of the database.
    else if (end.seq < before || (slot.logId !== undefined && end.logId !== slot.logId))
      this.#reset(cid, slot);
    else this.take({ cid, seq: end.seq });
  }

  #reset(cid: string, slot: Slot): void {
    Object.assign(slot, { last: undefined, failures: 0, isAnew: true });
    slot.waiting.clear();
    this.#learn([cid]).catch(this.#deps.onError);
  }

  /** The channel was deleted for good while texts were lost: its log went with it. */
  #endLog(cid: string, slot: Slot): void {
    this.end(cid);
    this.#slots.set(cid, { ...createSlot(), logId: slot.logId, isDeleted: true });
    this.#deps.onDeleted(cid);
  }

  /** The log of a deleted channel ended, and an event came: it is late, or of a channel that was made anew under the same id. */
  #lookForNext(cid: string, slot: Slot): void {
    const { readEnds, onError } = this.#deps;
    const known = [...slot.waiting.keys()];
    slot.isReading = true;
    readEnds([cid])
      .catch((error: unknown) => void onError(error))
      .then((ends) => {
        slot.isReading = false;
        if (this.#slots.get(cid) !== slot || !ends) return;
        const end = ends.get(cid);
        if (end && end.logId !== slot.logId) this.#beginNext(cid, slot, end);
        else for (const seq of known) slot.waiting.delete(seq);
        if (slot.isDeleted && slot.waiting.size > 0) this.#lookForNext(cid, slot);
      });
  }

  #beginNext(cid: string, slot: Slot, { logId, seq }: LogEnd): void {
    // Where the deleted log was never seen, nobody knows which of them is the next: what came is published.
    const last = slot.logId === undefined ? Math.min(seq, ...slot.waiting.keys()) - 1 : 0;
    Object.assign(slot, { isDeleted: false, logId, last, first: last });
    if (seq > 0 && !slot.waiting.has(seq)) slot.waiting.set(seq, undefined);
    this.#advance(cid, slot);
  }

  async #learn(cids: readonly string[]): Promise<void> {
    const { readEnds, clock, onError } = this.#deps;
    const open = cids.filter((cid) => {
      const slot = this.#slots.get(cid);
      return slot && (slot.logId === undefined || slot.last === undefined);
    });
    if (open.length === 0) return;
    const ends = await readEnds(open).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    if (ends === undefined) {
      await new Promise<void>((resolve) => clock.setTimeout(() => resolve(), retryMs));
      return this.#learn(open);
    }
    for (const cid of open) {
      const slot = this.#slots.get(cid);
      if (!slot || slot.isDeleted) continue;
      const end = ends.get(cid);
      if (slot.last !== undefined) slot.logId ??= end?.logId;
      else if (slot.isAnew && end === undefined) this.#endLog(cid, slot);
      else this.#beginAt(cid, slot, end);
    }
  }

  #beginAt(cid: string, slot: Slot, end: LogEnd | undefined): void {
    slot.logId = end?.logId;
    // Those that came since `begin` are published all: a reader's snapshot may be older than the number that was read.
    slot.last = Math.min(end?.seq ?? 0, ...[...slot.waiting.keys()].map((seq) => seq - 1));
    slot.first = slot.last;
    if (slot.isAnew) this.#deps.onBroken(cid);
    slot.isAnew = false;
    this.#advance(cid, slot);
  }

  /** Publishes what is next in line, and sees to the hole behind it. */
  #advance(cid: string, slot: Slot): void {
    while (slot.last !== undefined) {
      const event: StoredEvent | undefined = slot.waiting.get(slot.last + 1);
      if (event === undefined) break;
      this.#publish(cid, slot, event);
    }
    if (slot.waiting.size === 0 || slot.isReading || slot.timer || slot.last === undefined) return;
    if (slot.waiting.has(slot.last + 1)) this.#readSoon(cid, slot, 0);
    else this.#readSoon(cid, slot, holeMs);
  }

  #publish(cid: string, slot: Slot, event: StoredEvent): void {
    slot.last = event.seq;
    slot.waiting.delete(event.seq);
    this.#deps.publish(event);
    // Another channel may be made under the same id, whose numbers begin anew.
    if (event.type === 'channel.deleted' && this.#slots.get(cid) === slot) {
      this.end(cid);
      this.#slots.set(cid, { ...createSlot(), logId: slot.logId, isDeleted: true });
    }
  }

  #readSoon(cid: string, slot: Slot, ms: number): void {
    const read = (): void => {
      slot.timer = undefined;
      if (this.#slots.get(cid) !== slot || slot.waiting.size === 0) return;
      slot.isReading = true;
      this.#read(cid, slot)
        .then(
          () => 0,
          (error: unknown) => this.#onUnread(cid, slot, error),
        )
        .then((pause) => {
          slot.isReading = false;
          if (this.#slots.get(cid) !== slot) return;
          if (pause > 0) this.#readSoon(cid, slot, pause);
          else this.#advance(cid, slot);
        });
    };
    if (ms === 0) read();
    else slot.timer = this.#deps.clock.setTimeout(read, ms);
  }

  /** Says how long to wait for the next try. A database that is away is waited for as long as it takes. */
  async #onUnread(cid: string, slot: Slot, error: unknown): Promise<number> {
    const { readEnds, onError } = this.#deps;
    onError(error);
    const isReachable = await readEnds([cid]).then(
      () => true,
      () => false,
    );
    if (isReachable) slot.failures++;
    if (slot.failures < mostFailures || this.#slots.get(cid) !== slot) return retryMs;
    onError(new Error(`The log of ${cid} could not be read after ${slot.last}: its events are left out`));
    this.#skip(cid, slot);
    return 0;
  }

  async #read(cid: string, slot: Slot): Promise<void> {
    const { last } = slot;
    if (last === undefined) return;
    const known = [...slot.waiting.keys()];
    const events = await this.#deps.readAfter(cid, last, slot.logId);
    if (this.#slots.get(cid) !== slot || slot.last === undefined) return;
    if (events === undefined) {
      this.#skip(cid, slot);
      return;
    }
    slot.failures = 0;
    for (const event of events) {
      if (slot.last === undefined || event.seq !== slot.last + 1) continue;
      const arrived = slot.waiting.get(event.seq);
      if (arrived === undefined) {
        this.counts.healed++;
        this.#deps.onHealed(event);
      }
      this.#publish(cid, slot, arrived ?? event);
      if (this.#slots.get(cid) !== slot) return;
    }
    // They were sent after their commit: a log that ends before them is another one.
    if (events.length === 0) for (const seq of known) slot.waiting.delete(seq);
  }

  /** The events that came are published, and connections read the channel anew. */
  #skip(cid: string, slot: Slot): void {
    this.counts.lost++;
    const known = [...slot.waiting.values()].filter((event) => event !== undefined);
    slot.waiting.clear();
    for (const event of known.sort((one, other) => one.seq - other.seq)) this.#publish(cid, slot, event);
    if (this.#slots.get(cid) === slot) this.#reset(cid, slot);
  }
}
