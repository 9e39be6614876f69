import { times, toPrefix } from '@parley/client/limits';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import { useRestartable } from '../../chat/use-restartable.ts';
import { type MemberPages, withMember, withoutMember, withPage } from './member-pages.ts';

const pageSize = 50;
const byName = [{ field: 'name', direction: 1 as const }];

type State = MemberPages & { query: string; status: 'loading' | 'ready' | 'failed' };
const nothing: State = { members: [], query: '', status: 'loading' };

/** The members of a channel by name, a page at a time, kept up to date. */
export function useMembers(cid: string, query: string) {
  const client = useClient();
  const isConnected = useOwnId() !== undefined;
  const [state, setState] = useState(nothing);
  /** The page that is asked for now. One that was asked for before the list began anew stops no other. */
  const asked = useRef<string>(undefined);
  const ask = useCallback(
    (next?: string) => {
      const filter = query === '' ? {} : { filter: { name: { $autocomplete: toPrefix(query) } } };
      return client.members.query(cid, { ...filter, sort: byName, limit: pageSize, ...(next && { next }) });
    },
    [client, cid, query],
  );
  const begin = useCallback(() => {
    if (!isConnected) return;
    let isOver = false;
    const load = () =>
      ask().then(
        (page) => !isOver && setState({ next: undefined, ...page, query, status: 'ready' }),
        () => !isOver && setState((previous) => ({ ...previous, next: undefined, query, status: 'failed' })),
      );
    const timer = setTimeout(() => void load(), query === '' ? 0 : times.searchDebounce);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [ask, isConnected, query]);
  const beginAgain = useRestartable(begin);
  useFollowed(cid, setState);
  usePresenceOf(state.members);
  // The cursor of another search fits no longer.
  const next = state.query === query ? state.next : undefined;
  const more = useCallback(async () => {
    if (next === undefined || asked.current === next) return;
    asked.current = next;
    const take = (change: (previous: State) => State) =>
      setState((previous) => (previous.next === next ? change(previous) : previous));
    try {
      const page = await ask(next);
      take((previous) => ({ ...previous, ...withPage(previous, page), status: 'ready' }));
    } catch {
      take((previous) => ({ ...previous, status: 'failed' }));
    } finally {
      if (asked.current === next) asked.current = undefined;
    }
  }, [ask, next]);
  const retry = () => {
    setState((previous) => ({ ...previous, status: 'loading' }));
    // Only the page that was lost: the members before it stay.
    if (next === undefined) beginAgain();
    else void more();
  };
  return { ...state, isSearching: state.query !== query, hasMore: next !== undefined, more, retry };
}

/** The state of a large channel has only its first members: the presence of the others has to be followed. */
function usePresenceOf(members: State['members']): void {
  const client = useClient();
  const followed = useRef(new Set<string>());
  useEffect(() => {
    const ids = members.map(({ user_id }) => user_id).filter((id) => !followed.current.has(id));
    for (const id of ids) followed.current.add(id);
    void client.presence.follow(ids);
  }, [client, members]);
  useEffect(
    () => client.on('connection.recovered', () => void client.presence.follow([...followed.current])),
    [client],
  );
}

function useFollowed(cid: string, setState: (change: (previous: State) => State) => void): void {
  const client = useClient();
  useEffect(() => {
    const put = (event: { cid?: string; seq?: number; member: Parameters<typeof withMember>[1] }) => {
      // An event without a place in the log is for the own user alone, not a change for everyone.
      if (event.cid !== cid || event.seq === undefined) return;
      setState((previous) => ({ ...previous, ...withMember(previous, event.member, previous.query) }));
    };
    const stops = [
      client.on('member.added', put),
      client.on('member.updated', put),
      client.on('member.removed', (event) => {
        if (event.cid === cid)
          setState((previous) => ({ ...previous, ...withoutMember(previous, event.member.user_id) }));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, cid, setState]);
}
