/** One server behind the balancer. */
export type Backend = { readonly name: string; readonly port: number };

const pauseMs = 250;
const mostWaitMs = 2000;

const isReady = ({ port }: Backend): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(mostWaitMs) }).then(
    (reply) => reply.ok,
    () => false,
  );

/** The servers of a balancer, and which of them take calls at the moment: `/readyz` of each is asked four times a second. */
export class Backends {
  readonly all: readonly Backend[];
  #ready = new Set<Backend>();
  #turn = 0;
  #listeners = new Set<() => void>();
  #isStopped = false;

  constructor(all: readonly Backend[]) {
    this.all = all;
  }

  start(): void {
    for (const backend of this.all) void this.#watch(backend);
  }

  stop(): void {
    this.#isStopped = true;
  }

  isReady(name: string): boolean {
    return [...this.#ready].some((backend) => backend.name === name);
  }

  /** The servers to try, in order: the one that is asked for, then the others in turn. */
  inOrder(wanted?: string): Backend[] {
    this.#turn = (this.#turn + 1) % this.all.length;
    const turned = [...this.all.slice(this.#turn), ...this.all.slice(0, this.#turn)];
    const ready = turned.filter((backend) => this.#ready.has(backend));
    return [...ready.filter(({ name }) => name === wanted), ...ready.filter(({ name }) => name !== wanted)];
  }

  /** A server that does not take connections gets no calls until it says that it is ready. */
  leave(backend: Backend): void {
    this.#set(backend, false);
  }

  /** Resolves once these are ready. */
  untilReady(names: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!names.every((name) => this.isReady(name))) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }

  #set(backend: Backend, ready: boolean): void {
    if (this.#ready.has(backend) === ready) return;
    if (ready) this.#ready.add(backend);
    else this.#ready.delete(backend);
    for (const listener of [...this.#listeners]) listener();
  }

  async #watch(backend: Backend): Promise<void> {
    while (!this.#isStopped) {
      this.#set(backend, await isReady(backend));
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
  }
}
