import type { Channel, Message, Snippet, User } from '@parley/protocol';
import { limits, times } from '@parley/protocol/limits';
import type { ParleyClient } from '../../client.ts';
import { after, type Clock, defaultEnvironment } from '../../environment.ts';
import { createBatch, createCell, type Readable } from '../../readable.ts';
import { type ParsedSearch, parseSearch, toFilter } from './query.ts';

export { type ParsedSearch, parseSearch, type SearchFilters } from './query.ts';

export type MessageHit = { message: Message; snippet: Snippet };
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
  stop(): void;
};

const none = { items: [], next: undefined, isLoadingMore: false };
const empty = { messages: none, channels: none, people: none };
type Asked = { parsed: ParsedSearch; next?: string | undefined; signal: AbortSignal };
type Found<T> = Pick<SearchGroup<T>, 'items' | 'next'>;

const limit = limits.pageDefault;
const nothing = Promise.resolve({ items: [], next: undefined });
const page = (next: string | undefined) => ({ limit, ...(next === undefined ? {} : { next }) });

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
    return { items: reply.results as MessageHit[], next: reply.next };
  },
  channels: async ({ parsed, next, signal }: Asked): Promise<Found<Channel>> => {
    const { open, words } = parsed;
    if (open ? open.key !== 'in' : words === '') return nothing;
    const name = open ? open.text : words;
    const filter = name === '' ? { joined: true } : { name: { $autocomplete: name } };
    const body = { filter, state: false, ...page(next) };
    const reply = await client.http.call('POST /channels', { body, signal });
    return { items: reply.channels.map(({ channel }) => channel as Channel), next: reply.next };
  },
  people: async ({ parsed, next, signal }: Asked): Promise<Found<User>> => {
    const { open, words } = parsed;
    if (open ? open.key !== 'from' : words === '') return nothing;
    const name = open ? open.text : words;
    const filter = name === '' ? {} : { name: { $autocomplete: name } };
    const sort = [{ field: 'name', direction: 1 as const }];
    const reply = await client.http.call('POST /users/query', {
      body: { filter, sort, ...page(next) },
      signal,
    });
    return { items: reply.users as User[], next: reply.next };
  },
});

/** Search of messages, channels and people as somebody types. */
export const createSearch = (client: ParleyClient, given: { clock?: Clock } = {}): SearchHandle => {
  const clock = given.clock ?? defaultEnvironment().clock;
  const questions = createQuestions(client);
  const start: SearchState = { typed: '', parsed: parseSearch(''), status: 'idle', ...empty };
  const cell = createCell(start, createBatch());
  const change = (part: Partial<SearchState>) => cell.set({ ...cell.get(), ...part });
  let asking = new AbortController();
  let stopTimer = () => {};

  const ask = async () => {
    const { signal } = asking;
    const asked = { parsed: cell.get().parsed, signal };
    try {
      const [messages, channels, people] = await Promise.all([
        questions.messages(asked),
        questions.channels(asked),
        questions.people(asked),
      ]);
      if (signal.aborted) return;
      const whole = <T>(found: Found<T>) => ({ ...found, isLoadingMore: false });
      change({
        status: 'ready',
        messages: whole(messages),
        channels: whole(channels),
        people: whole(people),
      });
    } catch {
      if (!signal.aborted) change({ status: 'failed' });
    }
  };
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
    if (group.next === undefined || group.isLoadingMore) return;
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
    },
  };
};
