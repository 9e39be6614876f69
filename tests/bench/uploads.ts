import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BareTarget,
  type LaneResult,
  type ParleyTarget,
  type Plan,
  type Shape,
  userId,
} from './jobs.ts';
import { runLoad, type Server, startBareUpload } from './processes.ts';
import { decimal, latencyOf, type Row, whole } from './report.ts';
import { userToken } from './tokens.ts';

type Bench = {
  plan: Plan;
  parley: ParleyTarget;
  bare: BareTarget;
  databaseUrl: string;
  startFreshParley(): Promise<Server<ParleyTarget>>;
};

const mebibyte = 1024 * 1024;
const fileBytes = 100 * 1000 * 1000;
const chunk = Buffer.alloc(64 * 1024, 0x5a);
const parallel = 20;
/** Each of the twenty sends so fast: a good line, so that what is measured is the server and not the generator. */
const pacedBytes = 2 * mebibyte;
const eachBytes = 4 * mebibyte;
const perSecond = 200;

const boundary = 'bench-boundary';
const formHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`;
const formTail = `\r\n--${boundary}--\r\n`;

type Target = { port: number; path: string; headers: Record<string, string> };

const toParley = ({ port, apiKey, apiSecret }: ParleyTarget, user = 0): Target => ({
  port,
  path: '/api/uploads/file',
  headers: { 'x-api-key': apiKey, authorization: userToken(userId(user), apiSecret) },
});

/** One upload from memory; resolves with its milliseconds. `bytesPerSecond` paces it. */
const upload = (target: Target, bytes: number, bytesPerSecond = Number.POSITIVE_INFINITY): Promise<number> =>
  new Promise((done, fail) => {
    const start = performance.now();
    const sending = request(
      {
        ...{ host: '127.0.0.1', port: target.port, path: target.path, method: 'POST', agent: false },
        headers: {
          ...target.headers,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': formHead.length + bytes + formTail.length,
        },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => {
          if (answer.statusCode === 201) done(performance.now() - start);
          else fail(new Error(`an upload was answered with ${answer.statusCode}`));
        });
      },
    );
    sending.on('error', fail);
    sending.write(formHead);
    let sent = 0;
    const write = (): void => {
      while (sent < bytes) {
        const ahead = (sent / bytesPerSecond) * 1000 - (performance.now() - start);
        if (ahead > 0) {
          setTimeout(write, ahead);
          return;
        }
        const part = chunk.subarray(0, Math.min(chunk.length, bytes - sent));
        sent += part.length;
        if (!sending.write(part)) {
          sending.once('drain', write);
          return;
        }
      }
      sending.end(formTail);
    };
    write();
  });

const residentBytes = (pid: number): number => {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
};

/** The most that the server's memory grew by while a file of 100 MB came in, seen every 10 ms and not collected for. */
const measureGrowth = async ({ startFreshParley }: Bench): Promise<number> => {
  const server = await startFreshParley();
  try {
    const target = toParley(server.target);
    for (let warm = 0; warm < 3; warm++) await upload(target, 30 * mebibyte);
    await server.memory();
    // Collected memory goes back to the system a while later: before that there would be room for the file.
    await sleep(2000);
    const before = residentBytes(server.pid);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentBytes(server.pid));
    }, 10);
    await upload(target, fileBytes).finally(() => clearInterval(timer));
    return most - before;
  } finally {
    await server.stop();
  }
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const measureThroughput = async ({ parley, plan }: Bench) => {
  const cache = resolve(import.meta.dirname, '../../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bench-uploads-'));
  const server = await startBareUpload(folder);
  const bare = { port: server.target.port, path: '/', headers: {} };
  const times: Record<'parley' | 'bare', number[]> = { parley: [], bare: [] };
  try {
    await upload(toParley(parley), fileBytes);
    await upload(bare, fileBytes);
    for (let round = 0; round < Math.max(3, plan.rounds); round++) {
      times.parley.push(await upload(toParley(parley), fileBytes));
      times.bare.push(await upload(bare, fileBytes));
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const rate = (ms: number[]) => fileBytes / 1e6 / (median(ms) / 1000);
  return { parley: rate(times.parley), bare: rate(times.bare), times };
};

/** Keeps twenty uploads going until `stop` is called. They begin one after the other: people do not upload in step. */
const startUploads = (parley: ParleyTarget) => {
  let isStopped = false;
  let count = 0;
  const lanes = Array.from({ length: parallel }, async (_, lane) => {
    await sleep((lane / parallel) * (eachBytes / pacedBytes) * 1000);
    while (!isStopped) {
      await upload(toParley(parley, lane), eachBytes, pacedBytes);
      count++;
    }
  });
  return async (): Promise<number> => {
    isStopped = true;
    await Promise.all(lanes);
    return count;
  };
};

const measureSends = async (
  { plan: whole, parley, bare, databaseUrl }: Bench,
  shape: Shape,
): Promise<LaneResult> => {
  const plan = { ...whole, rounds: 1 };
  const result = (await runLoad({ kind: 'rate', plan, shape, parley, bare, perSecond, databaseUrl })).parley;
  if (!result) throw new Error('the generator gave no result');
  return result;
};

const middle = (results: LaneResult[]): LaneResult => {
  const [found] = results.toSorted((a, b) => a.p99 - b.p99).slice(Math.floor(results.length / 2));
  if (!found) throw new Error('no round was measured');
  return found;
};

/** Measures in turns without and with twenty uploads, and takes of each the round with the middle p99. */
const measureBeside = async (bench: Bench, shape: Shape) => {
  const rounds: Record<'quiet' | 'busy', LaneResult[]> = { quiet: [], busy: [] };
  let count = 0;
  for (let round = 0; round < bench.plan.rounds; round++) {
    rounds.quiet.push(await measureSends(bench, shape));
    const stop = startUploads(bench.parley);
    rounds.busy.push(await measureSends(bench, shape));
    count += await stop();
  }
  return { quiet: middle(rounds.quiet), busy: middle(rounds.busy), rounds, count };
};

/** Memory and speed of one large upload, and what twenty at once cost those who only write. */
export const measureUploads =
  (shape: Shape) =>
  async (bench: Bench): Promise<{ rows: Row[]; raw: unknown; blemishes: string[] }> => {
    const growth = await measureGrowth(bench);
    const speed = await measureThroughput(bench);
    const { quiet, busy, rounds, count } = await measureBeside(bench, shape);
    const common = { latency: '' };
    const rows: Row[] = [
      {
        name: 'upload of 100 MB: MB by which the server grows',
        parley: decimal(growth / 1e6, 1),
        ...{ limit: '', ratio: '', target: '< 20 MB', ok: growth < 20e6, ...common },
      },
      {
        name: 'upload of 100 MB to the disk: MB/s',
        parley: whole(speed.parley),
        limit: `${whole(speed.bare)} bare stream`,
        ratio: decimal(speed.parley / speed.bare),
        ...{ target: '≥ 0.5', ok: speed.parley / speed.bare >= 0.5, ...common },
      },
      {
        name: `${perSecond} sends/s during ${parallel} uploads: p99 ms`,
        parley: decimal(busy.p99, 1),
        limit: `${decimal(quiet.p99, 1)} without uploads`,
        ratio: decimal(busy.p99 / quiet.p99),
        ...{ target: '≤ 2.0', ok: busy.p99 <= 2 * quiet.p99, latency: latencyOf(busy) },
      },
    ];
    const blemishes = count < parallel ? [`uploads: only ${count} uploads ran during the sends`] : [];
    return { rows, raw: { growth, speed, rounds, count }, blemishes };
  };
