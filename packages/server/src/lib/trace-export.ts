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
 * queue is full. */
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
      const problem = await this.#send(batch).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      if (problem === undefined) {
        this.counts.exported += batch.length;
        this.#hasFailed = false;
        continue;
      }
      if (!this.#hasFailed) this.#onFailed(problem);
      this.#hasFailed = true;
      const room = Math.max(0, mostQueued - this.#queue.length);
      this.counts.dropped += Math.max(0, batch.length - room);
      this.#queue.unshift(...batch.slice(0, room));
      return;
    }
  }

  /** The reason why the batch was not taken. */
  async #send(batch: readonly EndedSpan[]): Promise<string | undefined> {
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
    return reply.ok ? undefined : `status ${reply.status}`;
  }
}
