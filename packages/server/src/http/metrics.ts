import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Values by upper bound; `counts` has one more place than there are bounds, for all above the last. */
export type Distribution = {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
};

export type Metrics = {
  /** A counter whose value another part of the server holds. It is read at each scrape. */
  counter(name: string, help: string, read: () => number): void;
  /** The same with one label: `read` returns a value per label. */
  counterBy(label: string, name: string, help: string, read: () => Iterable<[string, number]>): void;
  gauge(name: string, help: string, read: () => number): void;
  gaugeBy(label: string, name: string, help: string, read: () => Iterable<[string, number]>): void;
  /** A histogram whose values another part of the server counts. */
  histogram(name: string, help: string, read: () => Distribution): void;
  /** A gauge of 1 whose labels are what it is about. */
  info(name: string, help: string, labels: Record<string, string>): void;
  readonly registry: Registry;
  /** All metrics in the text format of Prometheus. */
  render(): Promise<string>;
  readonly contentType: string;
};

class ReadHistogram extends Histogram {
  readonly #head: { name: string; help: string; type: string };
  readonly #read: () => Distribution;

  constructor(name: string, help: string, read: () => Distribution, registers: Registry[]) {
    super({ name, help, registers });
    this.#head = { name, help, type: 'histogram' };
    this.#read = read;
  }

  /** The registry reads a histogram through this method of prom-client, which its types leave out. */
  async getForPromString() {
    const { name } = this.#head;
    const { bounds, counts, sum } = this.#read();
    let total = 0;
    const buckets = counts.map((count, index) => {
      total += count;
      return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? '+Inf' }, value: total };
    });
    const ends = [
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: total },
    ];
    return { ...this.#head, values: [...buckets, ...ends] };
  }
}

const createProcessRegistry = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'process_uptime_seconds',
    help: 'Seconds since start',
    registers: [registry],
    collect() {
      this.set(Math.round(process.uptime()));
    },
  });
  return registry;
};

/** Observers of the event loop and of garbage collection cannot be removed: a process that starts several servers needs one set. */
let processRegistry: Registry | undefined;

/** The metrics of one server, with those of its process. Nothing is computed between two scrapes. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  processRegistry ??= createProcessRegistry();
  const ofProcess = processRegistry;
  const registers = [registry];
  return {
    counter: (name, help, read) => {
      new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    counterBy: (label, name, help, read) => {
      new Counter({
        ...{ name, help, registers, labelNames: [label] },
        collect() {
          this.reset();
          for (const [value, count] of read()) this.inc({ [label]: value }, count);
        },
      });
    },
    gauge: (name, help, read) => {
      new Gauge({
        ...{ name, help, registers },
        collect() {
          this.set(read());
        },
      });
    },
    gaugeBy: (label, name, help, read) => {
      new Gauge({
        ...{ name, help, registers, labelNames: [label] },
        collect() {
          this.reset();
          for (const [value, count] of read()) this.set({ [label]: value }, count);
        },
      });
    },
    histogram: (name, help, read) => {
      new ReadHistogram(name, help, read, registers);
    },
    info: (name, help, labels) =>
      new Gauge({ name, help, registers, labelNames: Object.keys(labels) }).set(labels, 1),
    registry,
    render: async () => `${await registry.metrics()}\n${await ofProcess.metrics()}`,
    contentType: registry.contentType,
  };
};
