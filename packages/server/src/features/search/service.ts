import { invalid, limits, type Message, type Snippet } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel.ts';
import { type CursorOwner, decodeCursor, encodeCursor } from '../../query/cursor.ts';
import { canonicalFilter, parseFilter } from '../../query/filter.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { findMessages } from '../messages/store.ts';
import { snippetOf, termsOf } from './snippet.ts';
import {
  type Candidate,
  findCandidates,
  listCids,
  type Range,
  type Reach,
  readWords,
  type Search,
  type Spot,
  searchFields,
} from './store.ts';

export type SearchRequest = {
  query?: string;
  filter?: unknown;
  sort?: unknown;
  limit?: number;
  next?: string;
};
export type SearchPage = { results: { message: Message; snippet: Snippet }[]; next?: string };

type Deps = { kernel: Kernel; access: Access; hydrate: Hydrate };
type Order = 'relevance' | 'newest';
type Wanted = { search: Search; order: Order; limit: number; owner: CursorOwner };
/** Where a page stopped: the block of candidates it was taken from, and the last one it gave. */
type Stop = { top: Spot; bottom: Spot; last: { score: number; id: string } };

/** Ranked are the newest matches, this many at a time: what a search costs has a bound however common the word. */
const blockSize = 100;
const mostBlocks = 20;
const freshDays = 14;
const day = 86_400_000;

const parseOrder = (sort: unknown): Order => {
  if (sort === undefined || (Array.isArray(sort) && sort.length === 0)) return 'relevance';
  const [rule, ...more] = sort as { field: string; direction: number }[];
  if (more.length === 0 && rule?.direction === -1) {
    if (rule.field === 'relevance') return 'relevance';
    if (rule.field === 'created_at') return 'newest';
  }
  throw invalid('sort', 'search sorts by relevance or created_at, in direction -1');
};

/** The better the match and the newer the message, the higher. Measured from the block's top, so it stays what it was. */
const scored = (block: Candidate[], top: Spot, order: Order): Candidate[] =>
  block.map((one) => {
    const at = Date.parse(one.created_at);
    if (order === 'newest') return { ...one, score: at };
    const age = (Date.parse(top.created_at) - at) / day;
    return { ...one, score: one.score + 0.3 * Math.exp(-age / freshDays) };
  });

const compare = (a: { score: number; id: string }, b: { score: number; id: string }): number =>
  b.score - a.score || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);

const toStop = (values: readonly (string | null)[]): Stop => {
  const [topAt = '', topId = '', bottomAt = '', bottomId = '', score = '', id = ''] = values as string[];
  return {
    top: { created_at: topAt, id: topId },
    bottom: { created_at: bottomAt, id: bottomId },
    last: { score: Number(score), id },
  };
};
const fromStop = ({ top, bottom, last }: Stop): string[] => [
  ...[top.created_at, top.id, bottom.created_at, bottom.id],
  ...[String(last.score), last.id],
];

/** Finds messages by their words, in the channels that the searcher may read and search. */
export class Searching {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async search(actor: Actor, request: SearchRequest): Promise<SearchPage> {
    const wanted = await this.#prepare(actor, request);
    if (!wanted) return { results: [] };
    const { apiSecret } = this.#deps.kernel.config;
    const stop =
      request.next === undefined ? undefined : toStop(decodeCursor(request.next, wanted.owner, apiSecret));
    const { hits, rest } = await this.#collect(actor, wanted, stop);
    const results = await this.#show(actor, hits, wanted.search.words);
    return { results, ...(rest ? { next: encodeCursor(fromStop(rest), wanted.owner, apiSecret) } : {}) };
  }

  /** Undefined when the query holds signs but no word: it finds nothing. */
  async #prepare(actor: Actor, request: SearchRequest): Promise<Wanted | undefined> {
    const { kernel } = this.#deps;
    const query = request.query?.trim() ?? '';
    const filter = parseFilter(request.filter, searchFields);
    const order = parseOrder(request.sort);
    if (query === '' && Object.keys((request.filter as object | undefined) ?? {}).length === 0)
      throw invalid('query', 'a search needs words or a filter');
    const context = { actorId: actorId(actor) ?? null };
    const [words, reach] = await Promise.all([
      query === '' ? '' : readWords(kernel.pools, query),
      this.#reachOf(actor),
    ]);
    if (query !== '' && words === '') return undefined;
    const owner = {
      resource: searchFields.resource,
      scope: query,
      filter: canonicalFilter(filter),
      sort: order,
      actorId: context.actorId,
    };
    const limit = request.limit ?? limits.pageDefault;
    return { search: { words, filter, reach, context }, order, limit, owner };
  }

  async #reachOf(actor: Actor): Promise<Reach> {
    if (actor.kind === 'server') return undefined;
    const { kernel, access } = this.#deps;
    const [cids, openTypes] = await Promise.all([
      actor.kind === 'anonymous' ? [] : listCids(kernel.pools, actor.user.row.id),
      access.openTypes(actor),
    ]);
    return { cids, openTypes };
  }

  /** Goes through the blocks, newest first, until the page is full. */
  async #collect(actor: Actor, { search, order, limit }: Wanted, from: Stop | undefined) {
    const { kernel } = this.#deps;
    const hits: Candidate[] = [];
    let range: Range = { ...from, most: blockSize };
    let last = from?.last;
    for (let blocks = 0; blocks < mostBlocks; blocks++) {
      const block = await findCandidates(kernel.db, kernel.pools, search, range);
      const top = range.under ? block[0] : (range.top ?? block[0]);
      const bottom = range.bottom ?? block.at(-1);
      if (!top || !bottom) break;
      const ahead = scored(block, top, order)
        .filter((one) => last === undefined || compare(last, one) < 0)
        .sort(compare);
      const allowed = await this.#allowed(actor, ahead);
      const room = limit - hits.length;
      hits.push(...allowed.slice(0, room));
      const isEnd = range.bottom === undefined && block.length < blockSize;
      const end = allowed[room - 1];
      if (end)
        return { hits, rest: isEnd && allowed.length === room ? undefined : { top, bottom, last: end } };
      if (isEnd) break;
      last = undefined;
      range = { top: bottom, under: true, most: blockSize };
    }
    return { hits, rest: undefined };
  }

  /** What the query could not know: the rights of a role, a channel that is gone, a history that was cleared. */
  async #allowed(actor: Actor, found: Candidate[]): Promise<Candidate[]> {
    const since = new Map<string, string | undefined>();
    for (const { cid } of found) {
      if (since.has(cid)) continue;
      const { capabilities, member } = (await this.#deps.access.look(actor, cid)) ?? {};
      const mayFind = capabilities?.has('read-channel') && capabilities.has('search-messages');
      since.set(cid, mayFind ? (member?.cleared_at ?? '') : undefined);
    }
    return found.filter(({ cid, created_at }) => {
      const from = since.get(cid);
      return from !== undefined && created_at > from;
    });
  }

  async #show(actor: Actor, hits: Candidate[], words: string): Promise<SearchPage['results']> {
    if (hits.length === 0) return [];
    const { kernel, hydrate } = this.#deps;
    const ids = hits.map(({ id }) => id);
    const rows = new Map((await findMessages(kernel.db, ids)).map((row) => [row.id, row]));
    const terms = termsOf(words);
    const shown = ids.flatMap((id) => rows.get(id) ?? []).filter((row) => row.deleted_at === null);
    const messages = await hydrate(kernel.db, shown, actorId(actor));
    return messages.map((message) => ({ message, snippet: snippetOf(message.text, terms) }));
  }
}
