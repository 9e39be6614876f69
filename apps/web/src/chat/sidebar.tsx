import type { ChannelQuery, OwnUser } from '@parley/client';
import {
  Avatar,
  Button,
  ChatChannelList,
  EmptyState,
  IconButton,
  IconPlus,
  Menu,
  SidebarHeader,
} from '@parley/react';
import { useCallback, useMemo, useState } from 'react';
import styles from '../app/app.module.css';
import { type Theme, themes } from '../app/theme.ts';
import { Invites } from './channel-life.tsx';
import { hrefOf } from './channel-link.ts';
import type { MessageSpot } from './message-spot.ts';
import { type PlaceName, Places } from './places.tsx';
import { SearchButton, SidebarSearch, useFindShortcut } from './sidebar-search.tsx';
import { UnreadWhy } from './unread-why.tsx';

/** Members see what they are in; those who only look see what is open. */
const queryOf = (ownId: string, isVisitor: boolean, archived: boolean): ChannelQuery => ({
  filter: isVisitor
    ? { type: 'livestream' }
    : { members: { $in: [ownId] }, invite: { $ne: 'pending' }, archived },
  sort: [
    { field: 'pinned_at', direction: -1 },
    { field: 'last_message_at', direction: -1 },
  ],
  limit: 20,
  messageLimit: 25,
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
  const { me, selected, onSelect, onNew } = props;
  const visitor = isVisitor(me?.role);
  const [isArchive, setArchive] = useState(false);
  const query = useMemo(() => queryOf(me?.id ?? '', visitor, isArchive), [me?.id, visitor, isArchive]);
  const [isSearching, setSearching] = useState(false);
  useFindShortcut(useCallback(() => setSearching(true), []));
  const compose = !visitor && (
    <IconButton label="New conversation" tooltip="bottom" variant="soft" onClick={onNew}>
      <IconPlus />
    </IconButton>
  );
  const empty = isArchive ? (
    <EmptyState title="Nothing archived" action={<Button onClick={() => setArchive(false)}>Back</Button>} />
  ) : (
    <NothingYet onNew={visitor ? undefined : onNew} />
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
        title={visitor ? 'Open channels' : isArchive ? 'Archived' : 'Chats'}
        leading={<OwnMenu {...props} isArchive={isArchive} onArchive={visitor ? undefined : setArchive} />}
        actions={compose}
      >
        <SearchButton onOpen={() => setSearching(true)} />
      </SidebarHeader>
      {!visitor && <Places selected={props.screen} onSelect={props.onScreen} />}
      {!visitor && <Invites onAccepted={onSelect} />}
      <ChatChannelList query={query} selected={selected} onSelect={onSelect} hrefOf={hrefOf} empty={empty} />
    </>
  );
}

function NothingYet({ onNew }: { onNew: (() => void) | undefined }) {
  return (
    <EmptyState
      title="No conversations yet"
      hint={onNew ? 'Write to somebody, and it will be here.' : 'Nothing is open to visitors at the moment.'}
      action={onNew && <Button onClick={onNew}>New conversation</Button>}
    />
  );
}

const themeLabels: Record<Theme, string> = {
  system: 'Theme: as the system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

const after = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

type OwnMenuProps = SidebarProps & {
  isArchive: boolean;
  onArchive: ((isArchive: boolean) => void) | undefined;
};

function OwnMenu({ me, theme, onTheme, onSignOut, onOpenMessage, isArchive, onArchive }: OwnMenuProps) {
  const archive = onArchive && {
    id: 'archive',
    label: isArchive ? 'Back to chats' : 'Archived chats',
    onSelect: () => onArchive(!isArchive),
  };
  const [isAsking, setAsking] = useState(false);
  const name = me?.role === 'anonymous' ? 'Visitor' : (me?.name ?? me?.id ?? '');
  const menu = (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles.own} aria-label={`${name}: account and settings`}>
          <Avatar id={me?.id ?? ''} name={name} imageUrl={me?.image} />
        </button>
      }
      actions={[
        ...(archive ? [archive] : []),
        { id: 'theme', label: themeLabels[theme], onSelect: () => onTheme(after(theme)) },
        { id: 'why', label: 'What is unread, and why', onSelect: () => setAsking(true) },
        { id: 'out', label: me ? `Sign out ${name}` : 'Sign out', danger: true, onSelect: onSignOut },
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
