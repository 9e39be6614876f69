export type Labels = Record<string, string>;

/** A number that only grows. Add to `value` directly; nothing else happens until the numbers are read. */
export type Cell = { value: number };
export type Counter = Cell & {
  /** The cell of these labels: look it up once where it is needed often. */
  with(labels: Labels): Cell;
};
export type Histogram = { observe(value: number): void };

export type Metrics = {
  counter(name: string, help: string): Counter;
  /** A counter that someone else keeps. */
  counterOf(name: string, help: string, read: () => number): void;
  gauge(name: string, help: string, read: () => number): void;
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** All metrics in the text format of Prometheus. */
  render(): string;
  readonly contentType: string;
};

const validName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const validLabel = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

const escapeValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const labelText = (labels: Labels): string => {
  const names = Object.keys(labels).sort();
  const bad = names.find((name) => !validLabel.test(name));
  if (bad !== undefined) throw new Error(`"${bad}" cannot be the name of a label`);
  return names.map((name) => `${name}="${escapeValue(labels[name] ?? '')}"`).join(',');
};

const numberText = (value: number): string => {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
};

const createCounter = (): { counter: Counter; lines(name: string): string[] } => {
  const cells = new Map<string, Cell>();
  const counter: Counter = {
    value: 0,
    with: (labels) => {
      const key = labelText(labels);
      const found = cells.get(key);
      if (found) return found;
      const cell = { value: 0 };
      cells.set(key, cell);
      return cell;
    },
  };
  const lines = (name: string): string[] => [
    ...(cells.size === 0 || counter.value > 0 ? [`${name} ${numberText(counter.value)}`] : []),
    ...[...cells].map(([labels, cell]) => `${name}{${labels}} ${numberText(cell.value)}`),
  ];
  return { counter, lines };
};

const createHistogram = (
  buckets: readonly number[],
): { histogram: Histogram; lines(name: string): string[] } => {
  const bounds = [...buckets].sort((a, b) => a - b);
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  const observe = (value: number): void => {
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? 0)) index++;
    counts[index] = (counts[index] ?? 0) + 1;
    sum += value;
  };
  const lines = (name: string): string[] => {
    let total = 0;
    const rows = [...counts].map((count, index) => {
      total += count;
      return `${name}_bucket{le="${numberText(bounds[index] ?? Number.POSITIVE_INFINITY)}"} ${total}`;
    });
    return [...rows, `${name}_sum ${numberText(sum)}`, `${name}_count ${total}`];
  };
  return { histogram: { observe }, lines };
};

/** A registry of numbers for Prometheus. */
export const createMetrics = (): Metrics => {
  const families = new Map<string, () => string[]>();
  const add = (kind: string, name: string, help: string, lines: () => string[]): void => {
    if (!validName.test(name)) throw new Error(`"${name}" cannot be the name of a metric`);
    if (families.has(name)) throw new Error(`There is a metric ${name} already`);
    const about = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
    families.set(name, () => [`# HELP ${name} ${about}`, `# TYPE ${name} ${kind}`, ...lines()]);
  };
  return {
    counter: (name, help) => {
      const { counter, lines } = createCounter();
      add('counter', name, help, () => lines(name));
      return counter;
    },
    counterOf: (name, help, read) => add('counter', name, help, () => [`${name} ${numberText(read())}`]),
    gauge: (name, help, read) => add('gauge', name, help, () => [`${name} ${numberText(read())}`]),
    histogram: (name, help, buckets) => {
      const { histogram, lines } = createHistogram(buckets);
      add('histogram', name, help, () => lines(name));
      return histogram;
    },
    render: () => [...families.values()].flatMap((lines) => [...lines(), '']).join('\n'),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  };
};
