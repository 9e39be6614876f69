import type { UploadRules } from '@parley/protocol';
import { ParleyError, texts } from '@parley/protocol/errors';
import { limits } from '@parley/protocol/limits';
import { backoff } from '../../backoff.ts';
import type { ParleyClient } from '../../client.ts';
import { after } from '../../environment.ts';
import { NetworkError } from '../../http/network-error.ts';
import { kindOf, limitRefusal, refusalOf, toAttachment, type UploadItem } from './items.ts';
import type { UploadList } from './list.ts';
import type { UploadFunction } from './upload-file.ts';

export type Client = Pick<ParleyClient, 'http' | 'connection'>;
export type RunnerOptions = {
  client: Client;
  rules: Rules;
  list: UploadList;
  upload: UploadFunction;
  /** Whether the server's rules hold: not for files that go elsewhere. */
  isOurs: boolean;
  cid: string | undefined;
  parallel: number;
  maxFiles: number | undefined;
  maxBytes: number | undefined;
};

const mostTries = 6;
/** Ours gives up a silent connection much sooner. A function of the product may report nothing until it is done, or hang: then the
 * message that waits for the file would hold all messages after it. */
const longestSilenceMs = 15 * 60_000;
/** One that reports nothing is silent for the whole of its file: 16 kB/s is the slowest that is waited for. */
const slowestBytesPerMs = 16;

/** Stops a try that has been silent for too long, whatever it does with its signal. */
const createWatch = ({ http }: Client, size: number, signal: AbortSignal) => {
  const { clock } = http.wire.environment;
  const control = new AbortController();
  const abort = () => control.abort();
  let isOver = false;
  let stopTimer = () => {};
  let giveUp = () => {};
  const silent = new Promise<never>((_, reject) => {
    giveUp = () => {
      abort();
      reject(new Error('The upload was silent for too long'));
    };
  });
  const restart = () => {
    stopTimer();
    stopTimer = after(clock, Math.max(longestSilenceMs, size / slowestBytesPerMs), giveUp);
  };
  restart();
  signal.addEventListener('abort', abort);
  return {
    signal: control.signal,
    silent,
    restart,
    isOver: () => isOver,
    stop: () => {
      isOver = true;
      stopTimer();
      signal.removeEventListener('abort', abort);
    },
  };
};
const defaultRules: UploadRules = {
  files_per_message: limits.attachmentsPerMessage,
  file_bytes: limits.uploadBytes,
  image_pixels: 0,
  blocked: [],
};

const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ParleyError && error.retryable);

const failure = (error: unknown): Pick<UploadItem, 'state' | 'notice' | 'error'> =>
  error instanceof ParleyError && error.name === 'MessageBlocked'
    ? { state: 'blocked', notice: texts.uploadBlocked, error }
    : { state: 'failed', notice: texts.uploadFailed, error };

/** Waits before the next try; ends early when the connection is back or the upload is stopped. */
const pauseFor = ({ http, connection }: Client, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      stopTimer();
      stopListening();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = after(http.wire.environment.clock, ms, end);
    let before = connection.get().status;
    const stopListening = connection.subscribe(() => {
      const { status } = connection.get();
      if (status === 'online' && before !== 'online') end();
      before = status;
    });
    signal.addEventListener('abort', end);
  });

/** The upload rules, asked for once; without a reply the defaults hold, and the server checks each upload anyway. */
export const createRules = (http: Client['http']) => {
  let asked: Promise<UploadRules> | undefined;
  let known = defaultRules;
  return {
    known: () => known,
    reset: (): void => {
      asked = undefined;
      known = defaultRules;
    },
    load(): Promise<UploadRules> {
      asked ??= http.call('GET /uploads/rules', {}).then(
        (found) => {
          known = found;
          return found;
        },
        () => {
          asked = undefined;
          return known;
        },
      );
      return asked;
    },
  };
};

export type Rules = ReturnType<typeof createRules>;

/** One file to its end: stored, failed or blocked. A loss of network is waited out. */
const createAttempt =
  ({ client, list, upload, cid }: RunnerOptions) =>
  async (item: UploadItem, signal: AbortSignal): Promise<void> => {
    const { file } = item;
    for (let tries = 1; file && !signal.aborted; tries++) {
      const watch = createWatch(client, item.size, signal);
      try {
        const uploading = upload({
          ...{ file, name: item.name, kind: kindOf(item.mimeType), cid, signal: watch.signal },
          uploadId: item.id,
          onProgress: (done) => {
            if (watch.isOver()) return;
            watch.restart();
            list.change(item.id, { progress: Math.min(0.99, done) });
          },
        });
        const stored = await Promise.race([uploading, watch.silent]);
        const attachment = toAttachment(stored);
        if (!signal.aborted)
          list.change(item.id, { state: 'finished', progress: 1, upload: stored, attachment });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (tries >= mostTries || !isWorthAnotherTry(error)) return list.change(item.id, failure(error));
        await pauseFor(client, backoff(tries, 0.5), signal);
      } finally {
        watch.stop();
      }
    }
  };

/** Sends what is pending, so many at a time. */
export const createRunner = (options: RunnerOptions) => {
  const { list, rules, isOurs, parallel, maxBytes, maxFiles } = options;
  const attempt = createAttempt(options);
  const running = new Map<string, AbortController>();

  const run = async (item: UploadItem, control: AbortController): Promise<void> => {
    const { file_bytes, files_per_message, blocked } = isOurs ? await rules.load() : defaultRules;
    const most = maxFiles ?? files_per_message;
    const isOver = list.items().findIndex(({ id }) => id === item.id) >= most;
    const refusal = isOver
      ? limitRefusal('files', most)
      : refusalOf(item, { file_bytes: maxBytes ?? file_bytes, blocked });
    if (refusal) list.change(item.id, refusal);
    else await attempt(item, control.signal);
    if (running.get(item.id) === control) running.delete(item.id);
    next();
  };

  const next = (): void => {
    for (const item of list.items()) {
      if (running.size >= parallel) return;
      if (item.state !== 'pending') continue;
      const control = new AbortController();
      running.set(item.id, control);
      list.change(item.id, { state: 'uploading', progress: 0, notice: undefined, error: undefined });
      void run(item, control);
    }
  };

  const halt = (id: string): void => {
    running.get(id)?.abort();
    running.delete(id);
  };

  return {
    next,
    halt,
    haltAll: (): void => {
      for (const id of [...running.keys()]) halt(id);
    },
    filesPerMessage: (): number => maxFiles ?? rules.known().files_per_message,
  };
};
