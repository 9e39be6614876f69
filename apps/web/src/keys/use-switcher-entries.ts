import { type ChannelQuery, selectChannelTitle, selectUserName, type User } from '@parley/client';
import { times, toPrefix } from '@parley/client/limits';
import { selectFace, useChannelList, useClient, useMe, useRefusal, useTexts } from '@parley/react';
import { useDirect } from '@parley/react/channels';
import { useEffect, useMemo, useState } from 'react';
import { type Theme, themes } from '../app/theme.ts';
import type { Entry } from './switcher-entries.ts';
import { keyTexts } from './texts.ts';

/** Where the entries lead. Those left out are not offered. */
export type SwitcherWays = {
  openChannel: (cid: string) => void;
  openScreen: (name: 'threads' | 'drafts' | 'reminders' | 'scheduled') => void;
  openShelf: (name: 'archived' | 'hidden') => void;
  openSearch: () => void;
  openShortcuts: () => void;
  openUnread: () => void;
  newConversation?: (() => void) | undefined;
  setTheme: (theme: Theme) => void;
  signOut: () => void;
};

type Filter = NonNullable<ChannelQuery['filter']>;

/** The own conversations, archived ones too; for those who only look, the open ones. */
const queryOf = (ownId: string, isVisitor: boolean, ...more: Filter[]): ChannelQuery => {
  const own = isVisitor ? { type: 'livestream' } : { members: { $in: [ownId] }, invite: { $ne: 'pending' } };
  return { filter: more[0] ? { $and: [own, ...more] } : own, limit: 30, messageLimit: 1 };
};

/** A single letter finds too much to be worth a call. */
const toAsk = (typed: string): string => (typed.trim().length < 2 ? '' : typed.trim());

/** The text at the last pause of the typing: the server is asked only then. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState('');
  const sought = toAsk(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(sought), sought === '' ? 0 : times.searchDebounce);
    return () => clearTimeout(timer);
  }, [sought]);
  return paused;
}

/** The conversations that the server finds. Those found before stay until the next ones are there. */
function useFound(query: ChannelQuery | undefined) {
  const { channels } = useClient();
  const [found, setFound] = useState<{ query: ChannelQuery; cids: readonly string[] }>();
  useEffect(() => {
    if (!query) return;
    const list = channels.list(query);
    const look = () => {
      const { status, cids } = list.get();
      if (status !== 'loading') setFound({ query, cids });
    };
    const stop = list.subscribe(look);
    look();
    return () => {
      stop();
      list.stop();
    };
  }, [channels, query]);
  return { cids: query ? (found?.cids ?? []) : [], isBusy: query !== undefined && found?.query !== query };
}

/** Conversations by their name, and those without a name by the people in them. */
function useConversations(name: string, people: readonly User[], isVisitor: boolean) {
  const ownId = useMe()?.id ?? '';
  const ids = isVisitor ? '' : JSON.stringify(people.map(({ id }) => id));
  const all = useChannelList(useMemo(() => queryOf(ownId, isVisitor), [ownId, isVisitor]));
  const named = useMemo(
    () => (name === '' ? undefined : queryOf(ownId, isVisitor, { name: { $autocomplete: toPrefix(name) } })),
    [ownId, isVisitor, name],
  );
  const shared = useMemo(() => {
    const $in: string[] = ids === '' ? [] : JSON.parse(ids);
    return $in[0] ? queryOf(ownId, false, { members: { $in } }, { name: { $exists: false } }) : undefined;
  }, [ownId, ids]);
  const [byName, byPeople] = [useFound(named), useFound(shared)];
  return {
    cids: [...new Set([...all.cids, ...byName.cids, ...byPeople.cids])],
    isBusy: all.status === 'loading' || byName.isBusy || byPeople.isBusy,
  };
}

function usePeople(name: string, isVisitor: boolean) {
  const { users } = useClient();
  const ownId = useMe()?.id;
  const [found, setFound] = useState<{ name: string; people: readonly User[] }>();
  useEffect(() => {
    if (name === '' || isVisitor || ownId === undefined) return;
    let isOver = false;
    const show = (people: readonly User[]) => !isOver && setFound({ name, people });
    const filter = { name: { $autocomplete: toPrefix(name) }, id: { $ne: ownId } };
    const sort = [{ field: 'name', direction: 1 as const }];
    users.query({ filter, sort, limit: 10, presence: true }).then(
      (page) => show(page.users),
      () => show([]),
    );
    return () => {
      isOver = true;
    };
  }, [users, ownId, name, isVisitor]);
  return {
    people: name === '' ? [] : (found?.people ?? []),
    isBusy: name !== '' && !isVisitor && found?.name !== name,
  };
}

const personKey = (id: string): string => `person-${id}`;

const screens = ['threads', 'drafts', 'reminders', 'scheduled'] as const;
const themeTitles = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

function useActions(ways: SwitcherWays, isVisitor: boolean): Entry[] {
  const text = useTexts(keyTexts);
  const action = (key: Parameters<typeof text>[0], act: () => void): Entry => ({
    key: `action-${key}`,
    group: 'actions',
    title: text(key),
    act,
  });
  return [
    ...(ways.newConversation ? [action('newConversation', ways.newConversation)] : []),
    action('searchMessages', ways.openSearch),
    ...(isVisitor
      ? []
      : [
          ...screens.map((name) => action(name, () => ways.openScreen(name))),
          action('archivedChats', () => ways.openShelf('archived')),
          action('hiddenChats', () => ways.openShelf('hidden')),
        ]),
    action('unreadSummary', ways.openUnread),
    ...themes.map((theme) => action(themeTitles[theme], () => ways.setTheme(theme))),
    action('keyboardShortcuts', ways.openShortcuts),
    action('signOut', ways.signOut),
  ];
}

/** Everything that can be gone to: what is here already at once, and what the server finds a moment later. */
export function useSwitcherEntries(typed: string, ways: SwitcherWays): { entries: Entry[]; isBusy: boolean } {
  const client = useClient();
  const me = useMe();
  const openDirect = useDirect();
  const refuse = useRefusal();
  const isVisitor = me?.role === 'guest' || me?.role === 'anonymous';
  const name = usePaused(typed);
  const { people, isBusy } = usePeople(name, isVisitor);
  const found = useConversations(name, people, isVisitor);
  const conversations = found.cids.flatMap((cid): Entry[] => {
    const state = client.channels.state(cid).get();
    if (state === undefined) return [];
    const face = selectFace(state);
    return [
      {
        key: cid,
        group: 'conversations',
        title: selectChannelTitle(state),
        inPlaceOf: face.kind === 'direct' ? personKey(face.id) : undefined,
        act: () => ways.openChannel(cid),
      },
    ];
  });
  // A person with whom there is a conversation already is found as that conversation.
  const known = new Set(conversations.map(({ inPlaceOf }) => inPlaceOf));
  const strangers = people.filter(({ id }) => !known.has(personKey(id)));
  const persons = strangers.map(
    (user): Entry => ({
      key: personKey(user.id),
      group: 'people',
      title: selectUserName(user),
      imageUrl: user.image,
      act: () => void openDirect([user.id]).then(ways.openChannel, refuse),
    }),
  );
  return {
    entries: [...conversations, ...persons, ...useActions(ways, isVisitor)],
    isBusy: isBusy || found.isBusy || name !== toAsk(typed),
  };
}
