import type { Message, MessageWindow, ServerEvent } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { internReply } from '../../sync/snapshot.ts';
import type { ConfirmedChannel, VisibleMessage } from '../../sync/state.ts';
import { appendPage, keepNewest, prependPage } from '../../sync/timeline.ts';

export type PageOptions = { limit?: number };

/** Events that change loaded messages and can be applied twice. */
const changesMessages = /^(message\.(upd|delet|und)|react|poll|live)|own_votes/;

/**
 * Reads a page and puts it in its place. It may have been read before events that came meanwhile: they are applied to
 * it, too, or a text that was deleted would come back.
 */
export const loadPage = async (
  core: Core,
  cid: string,
  read: () => Promise<readonly Message[]>,
  put: (page: readonly VisibleMessage[]) => void,
): Promise<void> => {
  const missed: ServerEvent[] = [];
  let isTruncated = false;
  const stop = core.events.on('all', (event) => {
    if (!('cid' in event) || event.cid !== cid) return;
    if (event.type === 'channel.truncated') isTruncated = true;
    if (changesMessages.test(event.type)) missed.push(event);
  });
  try {
    let messages: readonly Message[];
    do {
      isTruncated = false;
      messages = await read();
    } while (isTruncated);
    put(internReply(messages, cid, core.users));
    for (const event of missed) core.confirm(event);
  } finally {
    stop();
  }
};

export const loadWindow = (
  core: Core,
  cid: string,
  messages: MessageWindow,
  put: (page: readonly VisibleMessage[]) => void,
): Promise<void> => {
  const body = { state: true, watch: false, members: { limit: 0 }, messages };
  const read = async () => (await core.http.call('POST /channels/{type}/{id}/query', { cid, body })).messages;
  return loadPage(core, cid, read, put);
};

/** One load per list and direction at a time: a second call waits for the first. */
export const once = (
  { loads }: Core,
  key: string,
  run: (release: () => void) => Promise<void>,
): Promise<void> => {
  const known = loads.get(key);
  if (known) return known;
  const release = () => {
    if (loads.get(key) === started) loads.delete(key);
  };
  const started: Promise<void> = Promise.resolve()
    .then(() => run(release))
    .finally(release);
  loads.set(key, started);
  return started;
};

type Load = { cid: string; flag: 'isLoadingOlder' | 'isLoadingNewer'; release: () => void };

const flagged = async (core: Core, { cid, flag, release }: Load, run: () => Promise<void>) => {
  core.store.update(cid, (state) => ({ ...state, [flag]: true }));
  try {
    await run();
  } finally {
    // A listener that sees the load end may ask for the next page at once.
    release();
    core.store.update(cid, (state) => ({ ...state, [flag]: false }));
  }
};

/** Loads the page beyond one edge of the window, unless the edge has moved when the page comes. */
export const loadBeyond = (
  core: Core,
  cid: string,
  isOlder: boolean,
  options: PageOptions = {},
): Promise<void> =>
  once(core, `${isOlder} ${cid}`, async (release) => {
    core.ownId();
    const { pageSize, windowSize: cap } = core.settings;
    const limit = options.limit ?? pageSize;
    const edgeOf = (state: ConfirmedChannel | undefined) => state?.messages.at(isOlder ? 0 : -1);
    const state = core.store.confirmed(cid);
    const edge = edgeOf(state);
    if (!edge || !state?.[isOlder ? 'hasOlder' : 'hasNewer']) return;
    const window = isOlder ? { limit, id_lt: edge.id } : { limit, id_gt: edge.id };
    await flagged(core, { cid, flag: isOlder ? 'isLoadingOlder' : 'isLoadingNewer', release }, () =>
      loadWindow(core, cid, window, (page) => {
        const isMore = page.length >= limit;
        core.store.update(cid, (now) => {
          if (edgeOf(now)?.id !== edge.id) return now;
          return isOlder
            ? prependPage(now, page, { hasOlder: isMore, cap })
            : appendPage(now, page, { hasNewer: isMore, cap });
        });
      }),
    );
  });

const keptOnLeave = 50;

export const createPages = (core: Core) => {
  const { store } = core;
  const loadOlder = (cid: string, options?: PageOptions): Promise<void> =>
    loadBeyond(core, cid, true, options);
  const loadNewer = (cid: string, options?: PageOptions): Promise<void> =>
    loadBeyond(core, cid, false, options);

  /** Drops the older messages of a channel that is left at its end; they are loaded again when the reader scrolls up. */
  const trim = (cid: string): void =>
    store.update(cid, (state) => (state.hasNewer ? state : keepNewest(state, keptOnLeave)));

  return {
    /** Loads the messages before those that are loaded. */
    loadOlder,
    /** Loads the messages after those that are loaded. */
    loadNewer,
    /** Drops all but the newest messages of a channel that is left. */
    trim,
  };
};
