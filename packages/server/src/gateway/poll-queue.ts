import { limits, times } from '@parley/protocol';
import type { Connection, Sink } from '../hub/connection.ts';
import type { Frame } from '../hub/frame.ts';
import type { Clock } from '../lib/clock.ts';

type Beneath = { onClose(queue: PollQueue): void; leavePlace(): void };

/** The queue of a long-poll: events wait here until they are fetched and acknowledged. */
export class PollQueue implements Sink {
  connection: Connection | undefined;
  readonly leavePlace: () => void;
  #clock: Clock;
  #onClose: (queue: PollQueue) => void;
  /** Events that no acknowledgement covers yet, the first with number `last - events.length + 1`. */
  #events: string[] = [];
  #bytes = 0;
  #last = 0;
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(clock: Clock, { onClose, leavePlace }: Beneath) {
    this.#clock = clock;
    this.#onClose = onClose;
    this.leavePlace = leavePlace;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  send(frame: Frame): void {
    if (this.#closed) return;
    this.#events.push(frame.json);
    this.#bytes += frame.json.length;
    this.#last++;
    if (this.#events.length > limits.queuedFrames || this.#bytes > limits.queuedBytes) this.close();
    else this.#wake?.();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake?.();
    this.#onClose(this);
  }

  acknowledge(ack: number): void {
    const first = this.#last - this.#events.length + 1;
    const done = this.#events.splice(0, Math.max(0, Math.min(ack, this.#last) - first + 1));
    this.#bytes -= done.reduce((sum, json) => sum + json.length, 0);
  }

  /** Waits until something is there, the queue is closed, or the longest wait is over. A second wait ends the first. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake?.();
      const timer = this.#clock.setTimeout(() => this.#wake?.(), times.longPollWait);
      this.#wake = () => {
        timer.stop();
        this.#wake = undefined;
        // Whatever else is due in this turn goes along.
        setImmediate(resolve);
      };
    });
  }

  /** JSON text, because the events are JSON text. */
  toJson(): string {
    return `{"events":[${this.#events.join(',')}],"last":${this.#last}}`;
  }
}
