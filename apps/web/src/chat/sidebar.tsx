import type { ChannelQuery, OwnUser } from '@parley/client';
import {
  Avatar,
  Button,
  ChatChannelList,
  EmptyState,
  IconBack,
  IconButton,
  IconPlus,
  Menu,
  type MenuAction,
  SidebarHeader,
  type TextOf,
  useTexts,
} from '@parley/react';
import { useCallback, useMemo, useState } from 'react';
import styles from '../app/app.module.css';
import { appTexts } from '../app/texts.ts';
import { type Theme, themes } from '../app/theme.ts';
import { ArchivedUnread } from './archived-unread.tsx';
import { Invites } from './channel-life.tsx';
import { hrefOf } from './channel-link.ts';
import type { MessageSpot } from './message-spot.ts';
import { type PlaceName, Places } from './places.tsx';
import { SearchButton, SidebarSearch, useFindShortcut } from './sidebar-search.tsx';
import { UnreadWhy } from './unread-why.tsx';

/** Where one has put a conversation for oneself. */
type Shelf = 'chats' | 'archived' | 'hidden';
const shelfFilters = { chats: { archived: false }, archived: { archived: true }, hidden: { hidden: true } };

/** Members see what they are in; those who only look see what is open. */
const queryOf = (ownId: string, isVisitor: boolean, shelf: Shelf): ChannelQuery => ({
  filter: isVisitor
    ? { type: 'livestream' }
    : { members: { $in: [ownId] }, invite: { $ne: 'pending' }, ...shelfFilters[shelf] },
  sort: [
    { field: 'pinned_at', direction: -1 },
    { field: 'last_updated', direction: -1 },
  ],
  limit: 20,
  // The last that is shown may stand before some that are not; the rest is fetched ahead.
  messageLimit: 3,
});

export const isVisitor = (role: string | undefined): boolean => role === 'guest' || role === 'anonymous';

export type SidebarProps = {
  me: OwnUser | undefined;
  selected: string | undefined;
  screen: PlaceName | undefined;
  onScreen: (screen: PlaceName) => void;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  onSelect: (cid: string) => void;
  onOpenMessage: (message: MessageSpot) => void;
  onNew: () => void;
  onSignOut: () => void;
};

export function Sidebar(props: SidebarProps) {
  const text = useTexts(appTexts);
  const { me, selected, onSelect, onNew } = props;
  const visitor = isVisitor(me?.role);
  const [shelf, setShelf] = useState<Shelf>('chats');
  const query = useMemo(() => queryOf(me?.id ?? '', visitor, shelf), [me?.id, visitor, shelf]);
  const [isSearching, setSearching] = useState(false);
  useFindShortcut(useCallback(() => setSearching(true), []));
  const compose = !visitor && (
    <IconButton label={text('newConversation')} tooltip="bottom" variant="soft" onClick={onNew}>
      <IconPlus />
    </IconButton>
  );
  const empty =
    shelf === 'chats' ? (
      <NothingYet onNew={visitor ? undefined : onNew} />
    ) : (
      <EmptyState title={text(`${shelf}Empty`)} />
    );
  if (isSearching)
    return (
      <SidebarSearch
        cid={selected}
        onOpenMessage={props.onOpenMessage}
        onOpenChannel={onSelect}
        onClose={() => setSearching(false)}
      />
    );
  return (
    <>
      <SidebarHeader
        title={text(visitor ? 'openChannels' : shelf)}
        leading={
          shelf === 'chats' ? (
            <OwnMenu {...props} onShelf={visitor ? undefined : setShelf} />
          ) : (
            <IconButton label={text('backToChats')} tooltip="bottom" onClick={() => setShelf('chats')}>
              <IconBack size={22} />
            </IconButton>
          )
        }
        actions={shelf === 'chats' && compose}
      >
        <SearchButton onOpen={() => setSearching(true)} />
      </SidebarHeader>
      {!visitor && shelf === 'chats' && (
        <>
          <Places selected={props.screen} onSelect={props.onScreen} />
          <Invites onAccepted={onSelect} />
          <ArchivedUnread onOpen={() => setShelf('archived')} />
        </>
      )}
      <ChatChannelList query={query} selected={selected} onSelect={onSelect} hrefOf={hrefOf} empty={empty} />
    </>
  );
}

function NothingYet({ onNew }: { onNew: (() => void) | undefined }) {
  const text = useTexts(appTexts);
  return (
    <EmptyState
      title={text('chatsEmpty')}
      hint={text(onNew ? 'chatsEmptyHint' : 'channelsEmptyHint')}
      action={onNew && <Button onClick={onNew}>{text('newConversation')}</Button>}
    />
  );
}

const themeLabels = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

const after = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

type OwnMenuProps = SidebarProps & {
  onShelf: ((shelf: Shelf) => void) | undefined;
};

/** The ways to other shelves, and to what is done with many conversations at once. */
const memberActions = ({ onShelf, onScreen }: OwnMenuProps, text: TextOf<typeof appTexts>): MenuAction[] => {
  if (!onShelf) return [];
  const way = (to: Shelf, label: string) => ({ id: to, label, onSelect: () => onShelf(to) });
  return [
    way('archived', text('archivedChats')),
    way('hidden', text('hiddenChats')),
    { id: 'delete', label: text('deleteConversations'), onSelect: () => onScreen('delete') },
  ];
};

function OwnMenu(props: OwnMenuProps) {
  const text = useTexts(appTexts);
  const { me, theme, onTheme, onSignOut, onOpenMessage } = props;
  const [isAsking, setAsking] = useState(false);
  const name = me?.role === 'anonymous' ? text('visitor') : (me?.name ?? me?.id ?? '');
  const menu = (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles.own} aria-label={text('account', { name })}>
          <Avatar id={me?.id ?? ''} name={name} imageUrl={me?.image} />
        </button>
      }
      actions={[
        ...memberActions(props, text),
        { id: 'theme', label: text(themeLabels[theme]), onSelect: () => onTheme(after(theme)) },
        { id: 'why', label: text('whyUnread'), onSelect: () => setAsking(true) },
        {
          id: 'out',
          label: me ? text('signOutNamed', { name }) : text('signOut'),
          danger: true,
          onSelect: onSignOut,
        },
      ]}
    />
  );
  return (
    <>
      {menu}
      {isAsking && <UnreadWhy onClose={() => setAsking(false)} onOpen={onOpenMessage} />}
    </>
  );
}
