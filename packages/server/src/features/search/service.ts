import { invalid, limits, type Message, type Snippet } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { fieldOf } from '../../lib/objects.ts';
import { type CursorOwner, decodeCursor, encodeCursor } from '../../query/cursor.ts';
import { canonicalFilter, parseFilter } from '../../query/filter.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import { findMessages } from '../messages/store.ts';
import type { Indexing } from './indexing.ts';
import { snippetOf } from './snippet.ts';
import {
  areRare,
  findNewest,
  findRanked,
  findRankedEnd,
  findTop,
  type Hit,
  listCids,
  type Reach,
  type Search,
  type Spot,
  searchFields,
} from './store.ts';
import { readWords, type Term } from './words.ts';

export type SearchRequest = {
  query?: string;
  filter?: unknown;
  sort?: unknown;
  limit?: number;
  next?: string;
};
export type SearchPage = { results: { message: Message; snippet: Snippet }[]; next?: string };

type Deps = { kernel: Kernel; access: Access; hydrate: Hydrate; indexing: Indexing };
type Order = 'relevance' | 'newest';
type Wanted = { search: Search; terms: Term[]; isRanked: boolean; limit: number };
/** The end of a page: among those that are ranked, or among the older ones that follow them. */
type Stop = { isRanked: boolean; last: Hit | undefined; end: Spot | undefined };

/** A page looks this often for messages that the searcher may see. */
const mostLooks = 20;

const parseOrder = (sort: unknown): Order => {
  if (sort === undefined || (Array.isArray(sort) && sort.length === 0)) return 'relevance';
  const [rule, ...more] = Array.isArray(sort) ? sort : [];
  const field = fieldOf(rule, 'field');
  if (more.length === 0 && fieldOf(rule, 'direction') === -1) {
    if (field === 'relevance') return 'relevance';
    if (field === 'created_at') return 'newest';
  }
  throw invalid('sort', 'search sorts by relevance or created_at, in direction -1');
};

/** How a search was read stays as it was: what is ranked depends on it. */
type Cursor = Pick<Search, 'top' | 'isRare' | 'isBestRare'> & { stop: Stop };

const toCursor = (values: readonly (string | null)[]): Cursor => {
  const [topAt = '', topId = '', ranked, score, at = '', id = '', endAt, endId, rare, bestRare] = values.map(
    (value) => value ?? '',
  );
  return {
    top: { created_at: topAt, id: topId },
    isRare: rare === 'rare',
    isBestRare: bestRare === 'rare',
    stop: {
      isRanked: ranked === 'ranked',
      last: id === '' ? undefined : { score: Number(score), created_at: at, id, cid: '', isCut: true },
      end: endAt ? { created_at: endAt, id: endId ?? '' } : undefined,
    },
  };
};
const fromCursor = ({ top, isRare, isBestRare, stop: { isRanked, last, end } }: Cursor): string[] => [
  ...[top.created_at, top.id, isRanked ? 'ranked' : 'older'],
  ...[String(last?.score ?? 0), last?.created_at ?? '', last?.id ?? ''],
  ...[end?.created_at ?? '', end?.id ?? ''],
  ...[isRare, isBestRare].map((isIt) => (isIt ? 'rare' : '')),
];

/** Finds messages by their words, in the channels that the searcher may read and search. */
export class Searching {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async search(actor: Actor, request: SearchRequest): Promise<SearchPage> {
    const { kernel, indexing } = this.#deps;
    const query = request.query?.trim() ?? '';
    const filter = parseFilter(request.filter, searchFields);
    const order = parseOrder(request.sort);
    if (query === '' && Object.keys(request.filter ?? {}).length === 0)
      throw invalid('query', 'a search needs words or a filter');
    const context = { actorId: actorId(actor) ?? null };
    const owner: CursorOwner = {
      resource: searchFields.resource,
      scope: request.query ?? '',
      filter: canonicalFilter(filter),
      sort: order,
      actorId: context.actorId,
    };
    const { apiSecret } = kernel.config;
    const cursor =
      request.next === undefined ? undefined : toCursor(decodeCursor(request.next, owner, apiSecret));
    const { query: words, best, terms } = readWords(request.query ?? '');
    // Signs without a word find nothing.
    if (query !== '' && words === '') return { results: [] };
    const [top, reach, isRare, isBestRare] = await Promise.all([
      cursor?.top ?? indexing.catchUp().then(() => findTop(kernel.pools)),
      this.#reachOf(actor),
      cursor?.isRare ?? areRare(kernel, words),
      cursor?.isBestRare ?? areRare(kernel, best ?? ''),
    ]);
    if (!top) return { results: [] };
    const search = { words, best, filter, context, top, reach, isRare, isBestRare };
    const isRanked = words !== '' && order === 'relevance';
    const limit = request.limit ?? limits.pageDefault;
    const { hits, rest } = await this.#collect(actor, { search, terms, isRanked, limit }, cursor?.stop);
    const results = await this.#show(actor, hits, terms);
    return {
      results,
      ...(rest ? { next: encodeCursor(fromCursor({ ...search, stop: rest }), owner, apiSecret) } : {}),
    };
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

  /** First those that are ranked, best first, then the older ones, newest first, until the page is full. */
  async #collect(actor: Actor, wanted: Wanted, from: Stop | undefined) {
    const { search, limit } = wanted;
    const hits: Hit[] = [];
    let stop: Stop = from ?? { isRanked: wanted.isRanked, last: undefined, end: undefined };
    for (let looks = 0; looks < mostLooks; looks++) {
      const room = limit - hits.length;
      // One more than fits shows whether there is a next page.
      const found = await this.#look(wanted, stop, room + 1);
      const allowed = await this.#allowed(actor, found);
      hits.push(...allowed.slice(0, room));
      const last = allowed.length > room ? allowed[room - 1] : found.at(-1);
      stop = { ...stop, last: last ?? stop.last };
      if (allowed.length > room) return { hits, rest: stop };
      if (found.length > room) continue;
      if (!stop.isRanked || found[0]?.isCut === false) return { hits, rest: undefined };
      const end = await findRankedEnd(this.#deps.kernel, search);
      if (!end) return { hits, rest: undefined };
      stop = { isRanked: false, last: undefined, end };
    }
    return { hits, rest: hits.length === 0 ? undefined : stop };
  }

  #look({ search, isRanked }: Wanted, stop: Stop, most: number): Promise<Hit[]> {
    const { kernel } = this.#deps;
    if (stop.isRanked) return findRanked(kernel, search, stop.last, most);
    return findNewest(kernel, search, { under: stop.last ?? stop.end, isAll: !isRanked }, most);
  }

  /** Filters by what the query could not know: the rights of a role, a deleted channel, a cleared history. */
  async #allowed(actor: Actor, found: Hit[]): Promise<Hit[]> {
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

  async #show(actor: Actor, hits: Hit[], terms: Term[]): Promise<SearchPage['results']> {
    if (hits.length === 0) return [];
    const { kernel, hydrate } = this.#deps;
    const ids = hits.map(({ id }) => id);
    const rows = new Map((await findMessages(kernel.db, ids)).map((row) => [row.id, row]));
    const shown = ids.flatMap((id) => rows.get(id) ?? []).filter((row) => row.deleted_at === null);
    const messages = await hydrate(kernel.db, shown, actorId(actor));
    return messages.map((message) => ({ message, snippet: snippetOf(message.text, terms) }));
  }
}
