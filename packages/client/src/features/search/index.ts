/** The entry `@parley/client/search`. */
import type { Channel, Message, Snippet, User } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { limits, times, toPrefix } from '@parley/protocol/limits';
import type { Feature, ParleyClient } from '../../client.ts';
import { after, type Clock } from '../../environment.ts';
import { createHandles } from '../../handles.ts';
import { createBatch, createCell, type Readable } from '../../readable.ts';
import { selectChannelTitle } from '../channels/selectors.ts';
import { type ParsedSearch, parseSearch, toFilter } from './query.ts';

export { type ParsedSearch, parseSearch, type SearchFilters } from './query.ts';

export type MessageHit = {
  message: Message;
  snippet: Snippet;
  /** The title of where it stands, if that channel is not loaded. */
  place?: string | undefined;
};
export type SearchGroup<T> = { items: readonly T[]; next: string | undefined; isLoadingMore: boolean };
export type SearchState = {
  typed: string;
  parsed: ParsedSearch;
  status: 'idle' | 'loading' | 'ready' | 'failed';
  messages: SearchGroup<MessageHit>;
  channels: SearchGroup<Channel>;
  people: SearchGroup<User>;
};
export type SearchGroupName = 'messages' | 'channels' | 'people';
export type SearchHandle = Readable<SearchState> & {
  /** Asks when the typing has paused for 300 ms; what was asked before is cancelled. */
  type(typed: string): void;
  /** Asks at once, for instance after a failure. */
  retry(): void;
  /** The next ten of a group. */
  loadMore(group: SearchGroupName): Promise<void>;
  /** Ends the search and drops its results. */
  stop(): void;
};

const none = { items: [], next: undefined, isLoadingMore: false };
const empty = { messages: none, channels: none, people: none };
type Asked = { parsed: ParsedSearch; next?: string | undefined; signal: AbortSignal };
type Found<T> = Pick<SearchGroup<T>, 'items' | 'next'>;

const limit = limits.pageDefault;
const nothing = Promise.resolve({ items: [], next: undefined });
const page = (next: string | undefined) => ({ limit, ...(next === undefined ? {} : { next }) });

/** Enough for the title of a conversation that has no name of its own. */
const namedMembers = 6;

/** Asks for the titles of channels that no list has loaded. */
const withPlaces = async (
  client: ParleyClient,
  hits: MessageHit[],
  signal: AbortSignal,
): Promise<MessageHit[]> => {
  const cids = [...new Set(hits.map(({ message }) => message.cid))];
  const unknown = cids.filter((cid) => client.channels.state(cid).get() === undefined);
  if (unknown.length === 0) return hits;
  const filter = { cid: { $in: unknown } };
  const body = { filter, limit: unknown.length, message_limit: 0, member_limit: namedMembers };
  const { channels } = await client.http.call('POST /channels', { body, signal });
  const ownId = client.me.get()?.id ?? '';
  const known = new Map(
    channels.map((state) => [state.channel.cid, selectChannelTitle({ ...state, ownId })]),
  );
  return hits.map((hit) => ({ ...hit, place: known.get(hit.message.cid) }));
};

/** Guests and visitors may not list people: they still find messages and channels. */
const nobodyIfRefused = (error: unknown): { users: User[]; next?: string } => {
  if (error instanceof ParleyError && error.name === 'NotAllowed') return { users: [] };
  throw error;
};

/** One question per group. A filter that is still being typed asks for its own kind alone. */
const createQuestions = (client: ParleyClient) => ({
  messages: async ({ parsed, next, signal }: Asked): Promise<Found<MessageHit>> => {
    const filter = toFilter(parsed.filters, client.me.get()?.id);
    if (parsed.open || (parsed.words === '' && Object.keys(filter).length === 0)) return nothing;
    const query = parsed.words === '' ? {} : { query: parsed.words };
    const reply = await client.http.call('POST /search', {
      body: { ...query, filter, ...page(next) },
      signal,
    });
    const hits = reply.results;
    return { items: await withPlaces(client, hits, signal), next: reply.next };
  },
  channels: async ({ parsed, next, signal }: Asked): Promise<Found<Channel>> => {
    const { open, words } = parsed;
    if (open ? open.key !== 'in' : words === '') return nothing;
    const name = open ? open.text : words;
    const filter = name === '' ? { joined: true } : { name: { $autocomplete: toPrefix(name) } };
    const body = { filter, state: false, ...page(next) };
    const reply = await client.http.call('POST /channels', { body, signal });
    return { items: reply.channels.map(({ channel }) => channel), next: reply.next };
  },
  people: async ({ parsed, next, signal }: Asked): Promise<Found<User>> => {
    const { open, words } = parsed;
    if (open ? open.key !== 'from' : words === '') return nothing;
    const name = open ? open.text : words;
    const filter = name === '' ? {} : { name: { $autocomplete: toPrefix(name) } };
    const sort = [{ field: 'name', direction: 1 as const }];
    const body = { filter, sort, ...page(next) };
    const reply = await client.http.call('POST /users/query', { body, signal }).catch(nobodyIfRefused);
    return { items: reply.users, next: reply.next };
  },
});

type Questions = ReturnType<typeof createQuestions>;
type Change = (part: Partial<SearchState>) => void;

const whole = <T>(found: Found<T>) => ({ ...found, isLoadingMore: false });

/** All groups at once; nothing is said when something else has been asked for meanwhile. */
const askAll = async (questions: Questions, asked: Asked, change: Change): Promise<void> => {
  const { signal } = asked;
  try {
    const [messages, channels, people] = await Promise.all([
      questions.messages(asked),
      questions.channels(asked),
      questions.people(asked),
    ]);
    if (signal.aborted) return;
    const found = { messages: whole(messages), channels: whole(channels), people: whole(people) };
    change({ status: 'ready', ...found });
  } catch {
    if (!signal.aborted) change({ status: 'failed' });
  }
};

const createSearch = (client: ParleyClient, clock: Clock): SearchHandle => {
  const questions = createQuestions(client);
  const start: SearchState = { typed: '', parsed: parseSearch(''), status: 'idle', ...empty };
  const cell = createCell(start, createBatch());
  const change = (part: Partial<SearchState>) => cell.set({ ...cell.get(), ...part });
  let asking = new AbortController();
  let stopTimer = () => {};

  const ask = () => askAll(questions, { parsed: cell.get().parsed, signal: asking.signal }, change);
  const plan = (pause: number) => {
    stopTimer();
    asking.abort();
    asking = new AbortController();
    stopTimer = after(clock, pause, () => void ask());
  };

  /** Adds a page to its group, unless something else has been asked for meanwhile. */
  const loadMore = async (name: SearchGroupName): Promise<void> => {
    const { [name]: group, parsed } = cell.get();
    const { signal } = asking;
    if (group?.next === undefined || group.isLoadingMore) return;
    change({ [name]: { ...group, isLoadingMore: true } });
    try {
      const more = await questions[name]({ parsed, next: group.next, signal });
      if (signal.aborted) return;
      const items = [...cell.get()[name].items, ...more.items];
      change({ [name]: { items, next: more.next, isLoadingMore: false } });
    } catch {
      if (!signal.aborted) change({ [name]: { ...cell.get()[name], isLoadingMore: false } });
    }
  };

  return {
    get: cell.get,
    subscribe: cell.subscribe,
    type: (typed) => {
      const isNothing = typed.trim() === '';
      const parsed = parseSearch(typed);
      if (isNothing) change({ typed, parsed, status: 'idle', ...empty });
      else change({ typed, parsed, status: 'loading' });
      plan(times.searchDebounce);
      if (isNothing) stopTimer();
    },
    retry: () => {
      change({ status: 'loading' });
      plan(0);
    },
    loadMore,
    stop: () => {
      stopTimer();
      asking.abort();
      cell.set(start);
    },
  };
};

export type Search = {
  /** A search of messages, channels and people as somebody types. Call its `stop` when it is closed. */
  create(): SearchHandle;
};

/** Searches, any number at a time. */
export const search: Feature<Search> = {
  name: 'search',
  create: (core) => ({
    create: createHandles(core, () => createSearch(core.client, core.environment.clock)),
  }),
};
