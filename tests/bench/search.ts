import type { Bench, Measured } from './bench.ts';
import type { JobResult, ParleyTarget, Question, Shape } from './jobs.ts';
import { runLoad } from './processes.ts';
import { blemishesOf, decimal, latencyOf, type Row, whole } from './report.ts';
import {
  ask,
  openSearchWorld,
  ownRooms,
  roomId,
  searcher,
  vocabulary,
  wordOf,
  worldSize,
} from './search-world.ts';
import { createRooms, createUsers } from './setup.ts';
import { userToken } from './tokens.ts';

/** One after the other: which words are asked for is the same in every run. */
const numbers = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(from * (to / from) ** (index / count)));

const search = (query: string, filter: Record<string, unknown> = {}): Question => ({
  path: '/search',
  body: JSON.stringify({ query, filter, limit: 10 }),
});

/** Typical searches: rare, usual and common words, several of them, phrases, beginnings, and filters. */
const questions = (): Question[] => {
  const rare = numbers(4000, vocabulary, 20);
  const usual = numbers(200, 4000, 20);
  const common = numbers(1, 200, 20);
  return [
    ...rare.map((n) => search(`${wordOf(n)} `)),
    ...usual.map((n) => search(`${wordOf(n)} `)),
    ...common.map((n) => search(`${wordOf(n)} `)),
    ...rare.map((n, index) => search(`${wordOf(common[index] ?? 1)} ${wordOf(n)}`)),
    ...common.map((n, index) => search(`${wordOf(n)} ${wordOf(usual[index] ?? 1)} `)),
    ...common.map((n, index) => search(`"${wordOf(n)} ${wordOf(usual[index] ?? 1)}"`)),
    ...usual.map((n) => search(wordOf(n).slice(0, 6))),
    ...usual.map((n, index) => search(wordOf(n), { user_id: `bench-user-${index}` })),
    ...common.map((n, index) => search(wordOf(n), { cid: `messaging:${roomId(index)}` })),
    ...usual.map((n) => search(wordOf(n), { created_at: { $lt: '2026-01-01T00:00:00.000Z' } })),
  ];
};

const pages = async (url: string): Promise<Question[]> => {
  const rows = await ask<{ id: string; cid: string }>(
    url,
    `select id, cid from messages where cid = any(array(select 'messaging:search-' || n from generate_series(0, ${ownRooms - 1}) n))
     order by md5(id) limit 200`,
  );
  return rows.map(({ id, cid }) => ({
    path: `/channels/${cid.replace(':', '/')}/query`,
    body: JSON.stringify({ state: true, members: { limit: 0 }, messages: { limit: 30, id_lt: id } }),
  }));
};

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item, index) => ({ item, at: (index * 7919) % items.length }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

type World = Awaited<ReturnType<typeof openSearchWorld>>;

const postSearch = async (
  { port, apiKey, apiSecret }: ParleyTarget,
  { path, body }: Question,
): Promise<void> => {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': apiKey,
    authorization: userToken(searcher, apiSecret),
  };
  const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
};

/** Plans of real searches as PostgreSQL ran them for the server, from PostgreSQL's own log. */
const explain = async (bench: Bench, world: World, url: string): Promise<string[]> => {
  const name = new URL(url).pathname.slice(1);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
  };
  for (const [key, value] of Object.entries(settings))
    await ask(url, `alter database ${name} set ${key} = '${value}'`);
  const parley = await bench.startParleyOn(url);
  const seen = world.log().length;
  await postSearch(parley.target, search(`${wordOf(6000)} `));
  await postSearch(parley.target, search(`${wordOf(3)} ${wordOf(700)}`));
  await parley.stop();
  const plans = world
    .log()
    .slice(seen)
    .split(/^.*LOG: {2}duration: /m);
  return plans.filter((plan) => plan.includes('CTE recent'));
};

/** Where the rows come from, without the rest. */
const shortPlan = (plan: string): string =>
  plan
    .split('\n')
    .filter((line) => /^[\d.]+ ms|CTE (recent|best)$|Scan.* on message_words/.test(line))
    .map((line) => line.replace('\t', '  '))
    .join('\n');

const measureQuestions = async (bench: Bench, url: string) => {
  const parley = await bench.startParleyOn(url);
  try {
    const { target } = parley;
    return await runLoad({
      kind: 'search',
      plan: bench.plan,
      clients: 2,
      user: searcher,
      parley: target,
      questions: shuffled(questions()),
      pages: await pages(url),
    });
  } finally {
    await parley.stop();
  }
};

const shape: Shape = {
  channelType: 'messaging',
  channelPrefix: 'search-cost',
  rooms: 50,
  watchers: 10,
  senders: 1,
  inFlight: 4,
};

/** The same sends on two copies of the million: one that keeps the words of messages, and one that does not. */
const measureCost = async (bench: Bench, world: World, url: string) => {
  const bareUrl = await world.copy('search_without');
  await ask(bareUrl, 'alter table messages disable trigger user; drop table message_words cascade');
  const [parley, without] = [await bench.startParleyOn(url), await bench.startParleyOn(bareUrl)];
  try {
    for (const { target } of [parley, without]) {
      await createUsers(target, shape.rooms * shape.watchers);
      await createRooms(target, shape, true);
    }
    return await runLoad({
      kind: 'cost',
      plan: bench.plan,
      shape,
      parley: parley.target,
      without: without.target,
    });
  } finally {
    await Promise.all([parley.stop(), without.stop()]);
  }
};

const rowsOf = (found: JobResult, cost: JobResult): Row[] => {
  const [asked, page, sends, bare] = [found.parley, found.bare, cost.parley, cost.bare];
  if (!asked || !page || !sends || !bare) throw new Error('the generator gave no result');
  const share = 1 - sends.perSecond / bare.perSecond;
  return [
    {
      name: `search of ${whole(worldSize)} messages: p95 ms`,
      parley: decimal(asked.p95, 1),
      limit: `${decimal(page.p95, 1)} page by index`,
      ratio: decimal(asked.p95 / page.p95),
      target: '≤ 5.0',
      ok: asked.p95 <= 5 * page.p95,
      latency: latencyOf(asked),
    },
    {
      name: '  sends/s with the index of words',
      parley: whole(sends.perSecond),
      limit: `${whole(bare.perSecond)} without it`,
      ratio: decimal(sends.perSecond / bare.perSecond),
      target: '≥ 0.85',
      ok: share <= 0.15,
      latency: latencyOf(sends),
    },
  ];
};

export const measureSearch = async (bench: Bench): Promise<Measured> => {
  const world = await openSearchWorld(bench.cache, ({ databaseUrl }) => bench.startParleyOn(databaseUrl));
  try {
    const url = await world.copy('search_run');
    const found = await measureQuestions(bench, url);
    const cost = await measureCost(bench, world, url);
    const plans = (await explain(bench, world, url)).map(shortPlan);
    console.log(
      `two searches, a rare word and a common with a usual one, as PostgreSQL logged them:\n${plans.join('\n')}`,
    );
    return {
      raw: { found, cost, plans },
      rows: rowsOf(found, cost),
      blemishes: [
        ...blemishesOf('search', found.parley),
        ...blemishesOf('search, pages', found.bare),
        ...blemishesOf('search, sends', cost.parley),
        ...(plans.every((plan) => plan.includes('message_words_words'))
          ? []
          : ['search: a plan does not use the index of words']),
      ],
    };
  } finally {
    await world.stop();
  }
};
