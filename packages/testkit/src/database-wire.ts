import { connect, createServer, type Socket } from 'node:net';

type Held = { release(): void };
type Match = { pattern: RegExp; value: string; act(link: Link): void };

const dataStart = 5;

/** Splits a stream of PostgreSQL's protocol into its messages; the first of a client has no type byte. */
const createSplitter = (hasStartup: boolean, onMessage: (type: string, body: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  let isStartup = hasStartup;
  return (data: Buffer): void => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = isStartup ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      if (!isStartup) onMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(dataStart, end));
      isStartup = false;
      rest = rest.subarray(end);
    }
  };
};

const textsOf = (body: Buffer): string[] => body.toString('utf8').split('\0');

/** One connection of the server to its database. */
class Link {
  #client: Socket;
  #database: Socket;
  #named = new Map<string, string>();
  #held: Buffer[] | undefined;
  #losesCommit = false;
  #isIdle = true;
  #swallows = false;

  constructor(
    client: Socket,
    database: Socket,
    onStatement: (text: string, body: Buffer, link: Link) => void,
  ) {
    this.#client = client;
    this.#database = database;
    const end = () => this.cut();
    for (const socket of [client, database]) socket.on('error', end).on('close', end);
    const toDatabase = createSplitter(true, (type, body) => {
      const [first = '', second = ''] = textsOf(body);
      if (type === 'P') this.#named.set(first, second);
      if (type !== 'Q' && type !== 'B') return;
      const text = type === 'Q' ? first : (this.#named.get(second) ?? '');
      onStatement(text, body, this);
      if (this.#losesCommit && /^commit$/i.test(text)) this.#swallows = true;
    });
    const toClient = createSplitter(false, (type, body) => {
      if (type !== 'Z') return;
      this.#isIdle = String.fromCharCode(body[0] ?? 0) === 'I';
      if (this.#swallows && this.#isIdle) this.cut();
    });
    client.on('data', (data) => {
      toDatabase(data);
      if (!database.destroyed) database.write(data);
    });
    database.on('data', (data) => {
      toClient(data);
      if (this.#swallows) return;
      if (this.#held) this.#held.push(data);
      else client.write(data);
    });
  }

  /** Keeps the database's answers back. */
  hold(): Held {
    this.#held ??= [];
    return {
      release: () => {
        for (const data of this.#held ?? []) this.#client.write(data);
        this.#held = undefined;
      },
    };
  }

  /** Hands on no more answers from the next commit on, and cuts once the database has committed. A statement outside a
   * transaction is its own commit. */
  loseCommit(): void {
    if (this.#isIdle) this.#swallows = true;
    else this.#losesCommit = true;
  }

  cut(): void {
    this.#client.destroy();
    this.#database.destroy();
  }
}

export type DatabaseWire = Awaited<ReturnType<typeof createDatabaseWire>>;

/** A TCP proxy between the server and PostgreSQL that knows the statements on their way: it keeps answers back, or loses them. */
export const createDatabaseWire = async (databaseUrl: string) => {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  // An embedded PostgreSQL listens in a folder, not at an address.
  const folder = searchParams.get('host');
  const links = new Set<Link>();
  let matches: Match[] = [];
  let isDown = false;
  const onStatement = (text: string, body: Buffer, link: Link): void => {
    const match = matches.find(({ pattern, value }) => pattern.test(text) && body.includes(value));
    if (!match) return;
    matches = matches.filter((one) => one !== match);
    match.act(link);
  };
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (isDown) return void client.destroy();
    const database =
      folder === null ? connect(Number(port), hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    const link = new Link(client, database, onStatement);
    links.add(link);
    client.once('close', () => links.delete(link));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('host');
  url.port = String(typeof address === 'object' ? address?.port : '');

  const next = <T>(pattern: RegExp, act: (link: Link) => T, value = ''): Promise<T> =>
    new Promise((resolve) => {
      matches.push({ pattern, value, act: (link) => resolve(act(link)) });
    });

  return {
    url: url.href,
    /** Resolves when a statement like this was sent, with this value where one is given; its answer waits for `release`. */
    holdAnswer: (pattern: RegExp, value?: string): Promise<Held> =>
      next(pattern, (link) => link.hold(), value),
    /** Once a statement like this was sent, the answer of its commit is lost and the connection ends; the database commits. */
    loseCommit: (pattern: RegExp): Promise<void> => next(pattern, (link) => link.loseCommit()),
    /** Ends the connection instead of handing on a statement like this. */
    cutBefore: (pattern: RegExp): Promise<void> => next(pattern, (link) => link.cut()),
    /** Ends all connections and takes no new ones until `restore`. */
    goDown: (): void => {
      isDown = true;
      for (const link of links) link.cut();
    },
    restore: (): void => {
      isDown = false;
    },
    stop: async (): Promise<void> => {
      for (const link of links) link.cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
