import type { Measured } from './bench.ts';
import { runIngest } from './processes.ts';
import { decimal, whole } from './report.ts';

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
/** One for each run: what disturbed a run disturbed both sides. */
const quotientsOf = (values: readonly number[], limits: readonly number[]): number[] =>
  values.map((value, run) => value / (limits[run] ?? 0));
const ratioOf = (values: readonly number[], limits: readonly number[]): number =>
  median(quotientsOf(values, limits));

const runs = 21;

const leastPerSecond = 100_000;
const leastOfParse = 0.3;
const mostBytes = 800;

/** The client alone: events as JSON text in, state for subscribers out. */
export const measureIngest = async (): Promise<Measured> => {
  const result = await runIngest(runs);
  const { client, parse, channels, members, perRound, bytes, parsedBytes, held } = result;
  const [first, second] = client;
  const speed = Math.min(median(first), median(second));
  const ofParse = Math.min(ratioOf(first, parse[0]), ratioOf(second, parse[1]));
  const steadiness = quotientsOf(second, first);
  const behind = steadiness.filter((quotient) => quotient < 1).length;
  const events = whole(perRound);
  const parsed = `${whole(median(parse.flat()))} JSON.parse`;
  return {
    raw: result,
    blemishes: [],
    rows: [
      {
        name: `client, ${channels} channels × ${members}: message events/s`,
        parley: whole(speed),
        limit: parsed,
        ratio: '',
        target: `≥ ${whole(leastPerSecond)}/s`,
        ok: speed >= leastPerSecond,
        latency: '',
      },
      {
        name: '  the same against JSON.parse alone',
        parley: whole(speed),
        limit: parsed,
        ratio: decimal(ofParse),
        target: `≥ ${leastOfParse}`,
        ok: ofParse >= leastOfParse,
        latency: '',
      },
      {
        name: `  the second ${events} against the first ${events}: slower in ${behind} of ${runs} runs`,
        parley: whole(median(second)),
        limit: `${whole(median(first))}; JSON.parse ${decimal(ratioOf(parse[1], parse[0]))}`,
        ratio: decimal(median(steadiness)),
        target: '≥ 1.0',
        ok: median(steadiness) >= 1,
        latency: '',
      },
      {
        name: `  bytes of heap a message, ${whole(held)} of ${whole(2 * perRound)} held`,
        parley: whole(bytes),
        limit: `${whole(parsedBytes)} as parsed`,
        ratio: decimal(bytes / parsedBytes),
        target: `< ${mostBytes} B`,
        ok: bytes < mostBytes,
        latency: '',
      },
    ],
  };
};
