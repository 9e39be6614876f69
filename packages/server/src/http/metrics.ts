import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export type Metrics = {
  /** A counter whose value another part of the server holds. It is read at each scrape. */
  counter(name: string, help: string, read: () => number): void;
  /** The same with one label: `read` returns a value per label. */
  counterBy(label: string, name: string, help: string, read: () => Iterable<[string, number]>): void;
  gauge(name: string, help: string, read: () => number): void;
  readonly registry: Registry;
  /** All metrics in the text format of Prometheus. */
  render(): Promise<string>;
  readonly contentType: string;
};

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
    registry,
    render: async () => `${await registry.metrics()}\n${await ofProcess.metrics()}`,
    contentType: registry.contentType,
  };
};
