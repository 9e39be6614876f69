import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export type TracingConfig = {
  /** Where spans are posted. */
  url: string;
  headers: Record<string, string>;
  /** The part of the traces that begin here which is recorded; a caller's own choice wins. */
  ratio: number;
  service: string;
};

export type Attributes = Record<string, string | number>;

/** A piece of work that has ended. Times are milliseconds since 1970. */
export type EndedSpan = {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  /** A call from outside, or a part of one. */
  isCall: boolean;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  isError: boolean;
};

export type Span = {
  /** Runs something, and what it starts, as a part of this. */
  inside(run: () => void): void;
  /** Names only routes, methods and classes: no ids, no texts, nothing that a user chose. */
  end(ended: { name: string; attributes: Attributes; isError: boolean }): void;
};

/** Records which work took how long, for the calls of one server. */
export type Tracer = {
  readonly isOn: boolean;
  /** Begins the span of a call, under the trace of the caller where its `traceparent` names one. */
  begin(traceparent: string | string[] | undefined): Span;
  /** Runs a part of the current call in a span; outside of one it only runs. */
  within<T>(name: string, run: () => Promise<T>): Promise<T>;
};

const noSpan: Span = { inside: (run) => run(), end: () => undefined };

/** Costs one function call. */
export const noTracer: Tracer = {
  isOn: false,
  begin: () => noSpan,
  within: (_name, run) => run(),
};

type Context = { traceId: string; spanId: string };

const parentShape = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const isZero = (id: string): boolean => /^0+$/.test(id);

/** The header of W3C Trace Context. Undefined where there is none, or one that is not valid. */
const readTraceparent = (given: string | string[] | undefined) => {
  const [, traceId = '', spanId = '', flags = ''] = parentShape.exec(String(given ?? '')) ?? [];
  if (traceId === '' || isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, isRecorded: (Number.parseInt(flags, 16) & 1) === 1 };
};

const randomId = (bytes: number): string => randomBytes(bytes).toString('hex');
const nowMs = (): number => performance.timeOrigin + performance.now();

export const createTracer = (ratio: number, record: (span: EndedSpan) => void): Tracer => {
  const current = new AsyncLocalStorage<Context>();
  const contextUnder = (parent: Context | undefined): Context => ({
    traceId: parent?.traceId ?? randomId(16),
    spanId: randomId(8),
  });
  return {
    isOn: true,
    begin: (traceparent) => {
      const parent = readTraceparent(traceparent);
      if (!(parent ? parent.isRecorded : Math.random() < ratio)) return noSpan;
      const context = contextUnder(parent);
      const startMs = nowMs();
      return {
        inside: (run) => current.run(context, run),
        end: (ended) =>
          record({ ...context, ...ended, parentId: parent?.spanId, isCall: true, startMs, endMs: nowMs() }),
      };
    },
    within: async (name, run) => {
      const parent = current.getStore();
      if (!parent) return run();
      const context = contextUnder(parent);
      const startMs = nowMs();
      let isError = true;
      try {
        const result = await current.run(context, run);
        isError = false;
        return result;
      } finally {
        const span = { ...context, parentId: parent.spanId, isCall: false, startMs, endMs: nowMs() };
        record({ ...span, name, attributes: {}, isError });
      }
    },
  };
};
