import type { OwnUser } from '@parley/client';
import {
  Avatar,
  Button,
  ChatChannelList,
  EmptyState,
  IconBack,
  IconButton,
  IconPlus,
  IconThread,
  Menu,
  type MenuAction,
  SidebarHeader,
  type TextOf,
  useTexts,
} from '@parley/react';
import { useMemo } from 'react';
import type { Shelf } from '../app/address.ts';
import styles from '../app/app.module.css';
import { appTexts } from '../app/texts.ts';
import { type Theme, themes } from '../app/theme.ts';
import { IconGoTo } from '../keys/icon-go-to.tsx';
import { ArchivedUnread } from './archived-unread.tsx';
import { Invites } from './channel-life.tsx';
import { hrefOf } from './channel-link.ts';
import { queryOf } from './list-query.ts';
import type { Overlay } from './overlays.tsx';
import { Places } from './places.tsx';
import { IconArchive, IconHidden } from './shelf-icons.tsx';
import { SearchButton, SidebarSearch } from './sidebar-search.tsx';
import type { Place } from './use-place.ts';

export const isVisitor = (role: string | undefined): boolean => role === 'guest' || role === 'anonymous';

export type SidebarProps = {
  me: OwnUser | undefined;
  place: Place;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  /** Opens what lies over the page. */
  onOpen: (what: Overlay) => void;
  onSignOut: () => void;
};

export function Sidebar(props: SidebarProps) {
  const text = useTexts(appTexts);
  const { me, place, onOpen } = props;
  const { cid: selected, open: onSelect } = place;
  const visitor = isVisitor(me?.role);
  const shelf = visitor ? 'chats' : (place.shelf ?? 'chats');
  const query = useMemo(() => queryOf(me?.id ?? '', visitor, shelf), [me?.id, visitor, shelf]);
  const onNew = () => onOpen('new');
  const empty =
    shelf === 'chats' ? (
      <NothingYet onNew={visitor ? undefined : onNew} />
    ) : (
      <EmptyState
        icon={shelf === 'archived' ? <IconArchive size={28} /> : <IconHidden size={28} />}
        title={text(`${shelf}Empty`)}
        hint={text(`${shelf}EmptyHint`)}
      />
    );
  if (place.words !== undefined)
    return (
      <SidebarSearch
        cid={selected}
        words={place.words}
        onWords={place.typeSearch}
        onOpenMessage={place.openMessage}
        onOpenChannel={onSelect}
        onClose={place.closeSearch}
      />
    );
  return (
    <>
      <SidebarHeader
        title={text(visitor ? 'openChannels' : shelf)}
        leading={
          shelf === 'chats' ? (
            <OwnMenu {...props} isVisitor={visitor} />
          ) : (
            <IconButton label={text('backToChats')} tooltip="bottom" onClick={place.closeShelf}>
              <IconBack size={22} />
            </IconButton>
          )
        }
        actions={shelf === 'chats' && <HeaderButtons onOpen={onOpen} mayStart={!visitor} />}
      >
        <SearchButton onOpen={place.openSearch} />
      </SidebarHeader>
      {!visitor && shelf === 'chats' && (
        <>
          <Places selected={place.screen} onSelect={(name) => place.go(`/${name}`)} />
          <Invites onAccepted={onSelect} />
          <ArchivedUnread onOpen={() => place.openShelf('archived')} />
        </>
      )}
      <ChatChannelList query={query} selected={selected} onSelect={onSelect} hrefOf={hrefOf} empty={empty} />
    </>
  );
}

function HeaderButtons({ onOpen, mayStart }: Pick<SidebarProps, 'onOpen'> & { mayStart: boolean }) {
  const text = useTexts(appTexts);
  return (
    <>
      <IconButton label={text('goTo')} tooltip="bottom" onClick={() => onOpen('switcher')}>
        <IconGoTo />
      </IconButton>
      {mayStart && (
        <IconButton
          label={text('newConversation')}
          tooltip="bottom"
          variant="soft"
          onClick={() => onOpen('new')}
        >
          <IconPlus />
        </IconButton>
      )}
    </>
  );
}

function NothingYet({ onNew }: { onNew: (() => void) | undefined }) {
  const text = useTexts(appTexts);
  return (
    <EmptyState
      icon={<IconThread size={28} />}
      title={text('chatsEmpty')}
      hint={text(onNew ? 'chatsEmptyHint' : 'channelsEmptyHint')}
      action={onNew && <Button onClick={onNew}>{text('newConversation')}</Button>}
    />
  );
}

const themeLabels = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

const after = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

type OwnMenuProps = SidebarProps & { isVisitor: boolean };

/** The ways to other shelves, and to what is done with many conversations at once. */
const memberActions = ({ place, isVisitor }: OwnMenuProps, text: TextOf<typeof appTexts>): MenuAction[] => {
  if (isVisitor) return [];
  const way = (to: Shelf, label: string) => ({ id: to, label, onSelect: () => place.openShelf(to) });
  return [
    way('archived', text('archivedChats')),
    way('hidden', text('hiddenChats')),
    { id: 'delete', label: text('deleteConversations'), onSelect: () => place.go('/delete') },
  ];
};

function OwnMenu(props: OwnMenuProps) {
  const text = useTexts(appTexts);
  const { me, theme, onTheme, onOpen, onSignOut } = props;
  const name = me?.role === 'anonymous' ? text('visitor') : (me?.name ?? me?.id ?? '');
  return (
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
        { id: 'why', label: text('whyUnread'), onSelect: () => onOpen('unread') },
        { id: 'keys', label: text('keyboardShortcuts'), onSelect: () => onOpen('shortcuts') },
        {
          id: 'out',
          label: me ? text('signOutNamed', { name }) : text('signOut'),
          danger: true,
          onSelect: onSignOut,
        },
      ]}
    />
  );
}
