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
import { useMemo } from 'react';
import styles from '../app/app.module.css';
import { type Theme, themes } from '../app/theme.ts';
import { hrefOf } from './channel-link.ts';

/** Members see what they are in; those who only look see what is open. */
const queryOf = (ownId: string, isVisitor: boolean): ChannelQuery => ({
  filter: isVisitor ? { type: 'livestream' } : { members: { $in: [ownId] } },
  limit: 20,
  messageLimit: 25,
});

export const isVisitor = (role: string | undefined): boolean => role === 'guest' || role === 'anonymous';

export type SidebarProps = {
  me: OwnUser | undefined;
  selected: string | undefined;
  theme: Theme;
  onTheme: (theme: Theme) => void;
  onSelect: (cid: string) => void;
  onNew: () => void;
  onSignOut: () => void;
};

export function Sidebar(props: SidebarProps) {
  const { me, selected, onSelect, onNew } = props;
  const visitor = isVisitor(me?.role);
  const query = useMemo(() => queryOf(me?.id ?? '', visitor), [me?.id, visitor]);
  const compose = !visitor && (
    <IconButton label="New conversation" tooltip="bottom" variant="soft" onClick={onNew}>
      <IconPlus />
    </IconButton>
  );
  const empty = (
    <EmptyState
      title="No conversations yet"
      hint={
        visitor ? 'Nothing is open to visitors at the moment.' : 'Write to somebody, and it will be here.'
      }
      action={!visitor && <Button onClick={onNew}>New conversation</Button>}
    />
  );
  return (
    <>
      <SidebarHeader
        title={visitor ? 'Open channels' : 'Chats'}
        leading={<OwnMenu {...props} />}
        actions={compose}
      />
      <ChatChannelList query={query} selected={selected} onSelect={onSelect} hrefOf={hrefOf} empty={empty} />
    </>
  );
}

const themeLabels: Record<Theme, string> = {
  system: 'Theme: as the system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

const after = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';

function OwnMenu({ me, theme, onTheme, onSignOut }: SidebarProps) {
  const name = me?.role === 'anonymous' ? 'Visitor' : (me?.name ?? me?.id ?? '');
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles.own} aria-label={`${name}: account and settings`}>
          <Avatar id={me?.id ?? ''} name={name} imageUrl={me?.image} />
        </button>
      }
      actions={[
        { id: 'theme', label: themeLabels[theme], onSelect: () => onTheme(after(theme)) },
        { id: 'out', label: me ? `Sign out ${name}` : 'Sign out', danger: true, onSelect: onSignOut },
      ]}
    />
  );
}
