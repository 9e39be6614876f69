import { limits } from '@parley/protocol/limits';
import type { Feature } from '../../client.ts';
import type { Core } from '../../core.ts';
import { after } from '../../environment.ts';

type Signed = { url: string | undefined; until: number };

const waitMs = 10;
/** Renewed while the old one still works: what is being loaded must not end in the middle. */
const earlyMs = 5 * 60_000;
/** A refusal is kept for a short time only: a message can come before its channel is joined. */
const refusedMs = 10_000;
const mostKept = 2000;

const ownFile = /^(https?:\/\/[^/]+)?\/files\/[\w-]{24}\//;

export type FileUrls = ReturnType<typeof createFileUrls>;

const keep = (known: Map<string, Signed>, url: string, signed: Signed): void => {
  known.delete(url);
  known.set(url, signed);
  const [oldest] = known.keys();
  if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
};

const createFileUrls = ({ http, environment, resets }: Core) => {
  const { baseUrl } = http.wire;
  const { clock } = environment;
  const origin = baseUrl.replace(/\/[^/]*$/, '');
  let known = new Map<string, Signed>();
  const loading = new Map<string, Promise<string | undefined>>();
  let waiting = new Map<string, (url: string | undefined) => void>();

  const absolute = (url: string): string => (url.startsWith('/') ? `${origin}${url}` : url);
  const isOwn = (url: string): boolean =>
    ownFile.test(url) && (url.startsWith('/') || url.startsWith(`${origin}/`));

  const ask = async (): Promise<void> => {
    const batch = waiting;
    // A reply that comes after a sign-out was signed for the last user.
    const own = known;
    waiting = new Map();
    const urls = [...batch.keys()];
    for (let at = 0; at < urls.length; at += limits.signedPerCall) {
      const some = urls.slice(at, at + limits.signedPerCall);
      const reply = await http.call('POST /uploads/sign', { body: { urls: some } }).catch(() => undefined);
      for (const url of some) {
        const signed = reply?.urls[url];
        const until = signed && reply ? Date.parse(reply.expires_at) - earlyMs : clock.now() + refusedMs;
        if (reply) keep(own, url, { url: signed && absolute(signed), until });
        batch.get(url)?.(signed && absolute(signed));
      }
    }
  };

  /** The URL that can be shown now without asking. */
  const peek = (url: string): string | undefined => {
    if (!isOwn(url)) return url;
    const found = known.get(url);
    return found && found.until > clock.now() ? found.url : undefined;
  };

  const resolve = (url: string): Promise<string | undefined> => {
    const found = known.get(url);
    if (!isOwn(url) || (found && found.until > clock.now())) return Promise.resolve(peek(url));
    const running = loading.get(url);
    if (running) return running;
    if (waiting.size === 0) after(clock, waitMs, () => void ask());
    const asked = new Promise<string | undefined>((settle) => waiting.set(url, settle));
    loading.set(url, asked);
    return asked.finally(() => loading.delete(url));
  };

  resets.push(() => {
    const unanswered = waiting;
    waiting = new Map();
    loading.clear();
    known = new Map();
    for (const settle of unanswered.values()) settle(undefined);
  });

  return {
    /** The signed URL of a file, if it is known already. */
    peek,
    /** Undefined when it may not be read, or cannot be asked for now. */
    resolve,
    /** Asks anew, for what could not be loaded: it may have ended early by the clock of the server. */
    refresh(url: string): Promise<string | undefined> {
      known.delete(url);
      return resolve(url);
    },
    /** The server was asked and gave none: the file is gone, or is not for this reader. */
    isRefused(url: string): boolean {
      const found = known.get(url);
      return found !== undefined && found.url === undefined;
    },
  };
};

/** URLs of files as an `<img>` or a link can load them. All that are asked for in one turn go in one call; each is kept until
 * shortly before it ends. A URL that is not one of our files is given back as it is. */
export const fileUrls: Feature<FileUrls> = { name: 'file-urls', create: createFileUrls };
