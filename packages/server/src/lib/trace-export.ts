import { toError } from './to-error.ts';
import type { Attributes, EndedSpan, TracingConfig } from './tracing.ts';

type Deps = {
  config: TracingConfig;
  /** The name of this server among those of its deployment. */
  instance: string;
  version: string;
  /** The time between two posts. */
  pauseMs?: number;
};

/** Spans of about ten seconds under load; more would only fill the memory while nobody takes them. */
const mostQueued = 4096;
const mostPerPost = 512;
const defaultPauseMs = 2000;
const answerMs = 5000;
/** A server that stops does not wait longer than this for its last spans to be taken. */
const stopMs = 2000;

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

/** The statuses by which OTLP says that the same spans may be taken later. A batch that is refused for good would otherwise keep all
 * that come after it from being sent. */
const laterStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
type Refusal = { reason: string; isFinal: boolean };

const kinds = { internal: 1, server: 2 };
const failed = 2;

const spanOf = ({
  traceId,
  spanId,
  parentId,
  name,
  isCall,
  startMs,
  endMs,
  attributes,
  isError,
}: EndedSpan) => ({
  traceId,
  spanId,
  ...(parentId === undefined ? {} : { parentSpanId: parentId }),
  name,
  kind: isCall ? kinds.server : kinds.internal,
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(endMs),
  attributes: attributesOf(attributes),
  ...(isError ? { status: { code: failed } } : {}),
});

/** Posts spans in batches, as JSON of OTLP over HTTP. Nobody waits for it: what cannot be sent is tried again, and dropped when the
 * queue is full or the spans are refused for good. */
export class TraceExport {
  readonly counts = { exported: 0, dropped: 0 };
  #deps: Deps;
  #queue: EndedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #posting: Promise<void> | undefined;
  #isStopped = false;
  #hasFailed = false;
  #onFailed: (reason: string) => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `onFailed` is called once for each time that nobody takes the spans. */
  start(onFailed: (reason: string) => void): () => Promise<void> {
    this.#onFailed = onFailed;
    return () => this.#stop();
  }

  get size(): number {
    return this.#queue.length;
  }

  add(span: EndedSpan): void {
    if (this.#isStopped || this.#queue.length >= mostQueued) {
      this.counts.dropped++;
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= mostPerPost && !this.#hasFailed) this.#post();
    else this.#postSoon();
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const late = new Promise<void>((resolve) => setTimeout(resolve, stopMs).unref());
    const rest = async () => {
      await this.#posting;
      if (this.#queue.length > 0 && !this.#hasFailed) await this.#postAll();
    };
    await Promise.race([rest(), late]);
  }

  #postSoon(): void {
    this.#timer ??= setTimeout(() => this.#post(), this.#deps.pauseMs ?? defaultPauseMs).unref();
  }

  #post(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#posting ??= this.#postAll().finally(() => {
      this.#posting = undefined;
      if (this.#queue.length > 0 && !this.#isStopped) this.#postSoon();
    });
  }

  async #postAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, mostPerPost);
      const refusal = await this.#send(batch).catch(
        (error: unknown): Refusal => ({ reason: toError(error).message, isFinal: false }),
      );
      if (refusal === undefined) {
        this.counts.exported += batch.length;
        this.#hasFailed = false;
        continue;
      }
      if (!this.#hasFailed) this.#onFailed(refusal.reason);
      this.#hasFailed = true;
      const room = refusal.isFinal ? 0 : Math.max(0, mostQueued - this.#queue.length);
      this.counts.dropped += Math.max(0, batch.length - room);
      this.#queue.unshift(...batch.slice(0, room));
      return;
    }
  }

  /** Undefined where the batch was taken. */
  async #send(batch: readonly EndedSpan[]): Promise<Refusal | undefined> {
    const { config, instance, version } = this.#deps;
    const resource = {
      'service.name': config.service,
      'service.version': version,
      'service.instance.id': instance,
    };
    const spans = batch.map(spanOf);
    const scopeSpans = [{ scope: { name: 'parley', version }, spans }];
    const reply = await fetch(config.url, {
      method: 'POST',
      headers: { ...config.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }],
      }),
      signal: AbortSignal.timeout(answerMs),
    });
    await reply.arrayBuffer();
    if (reply.ok) return undefined;
    return { reason: `status ${reply.status}`, isFinal: !laterStatuses.has(reply.status) };
  }
}
