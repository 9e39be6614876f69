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

/** The own conversations, archived ones too; for those who only look, the open ones. */
const queryOf = (ownId: string, isVisitor: boolean, name: string): ChannelQuery => {
  const own = isVisitor ? { type: 'livestream' } : { members: { $in: [ownId] }, invite: { $ne: 'pending' } };
  const filter = name === '' ? own : { $and: [own, { name: { $autocomplete: toPrefix(name) } }] };
  return { filter, limit: 30, messageLimit: 1 };
};

/** The text at the last pause of the typing: the server is asked only then. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed.trim()), typed.trim() === '' ? 0 : times.searchDebounce);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
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
  const own = useMemo(() => queryOf(me?.id ?? '', isVisitor, ''), [me?.id, isVisitor]);
  const named = useMemo(() => queryOf(me?.id ?? '', isVisitor, name), [me?.id, isVisitor, name]);
  const all = useChannelList(own);
  const found = useChannelList(named, false);
  const { people, isBusy } = usePeople(name, isVisitor);
  const conversations = [...new Set([...all.cids, ...found.cids])].flatMap((cid): Entry[] => {
    const state = client.channels.state(cid).get();
    if (state === undefined) return [];
    return [
      {
        key: cid,
        group: 'conversations',
        title: selectChannelTitle(state),
        act: () => ways.openChannel(cid),
      },
    ];
  });
  // A person with whom there is a conversation already is found as that conversation.
  const known = new Set(
    conversations.flatMap(({ key }) => {
      const state = client.channels.state(key).get();
      const face = state && selectFace(state);
      return face?.kind === 'direct' ? [face.id] : [];
    }),
  );
  const strangers = people.filter(({ id }) => !known.has(id));
  const persons = strangers.map(
    (user): Entry => ({
      key: `person-${user.id}`,
      group: 'people',
      title: selectUserName(user),
      imageUrl: user.image,
      act: () => void openDirect([user.id]).then(ways.openChannel, refuse),
    }),
  );
  return {
    entries: [...conversations, ...persons, ...useActions(ways, isVisitor)],
    isBusy: isBusy || all.status === 'loading' || name !== typed.trim(),
  };
}
