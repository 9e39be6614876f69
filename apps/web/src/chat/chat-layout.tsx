import type { VisibleMessage } from '@parley/client';
import {
  type AppPane,
  AppShell,
  Button,
  ConnectedBanner,
  Conversation,
  EmptyState,
  IconThread,
  NewConversation,
  ThreadPanel,
  useMe,
  useUnread,
} from '@parley/react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTheme } from '../app/theme.ts';
import { hrefOf } from './channel-link.ts';
import { isVisitor, Sidebar } from './sidebar.tsx';

export type ChatLayoutProps = { onSignOut: () => void; onRetry: () => void };

/** The address says what is open: the channel in the path, the thread and a message after it. */
const usePlace = () => {
  const params: { type?: string; id?: string } = useParams({ strict: false });
  const search: { thread?: string; m?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const cid = params.type && params.id ? `${params.type}:${params.id}` : undefined;
  const go = useCallback((to: string) => void navigate({ to: to as '/' }), [navigate]);
  const open = useCallback((target: string) => go(hrefOf(target)), [go]);
  const openThread = useCallback(
    (message: VisibleMessage) =>
      void navigate({ to: '.', search: { thread: message.parent_id ?? message.id } as never }),
    [navigate],
  );
  const closeThread = useCallback(() => void navigate({ to: '.', search: {} as never }), [navigate]);
  return { cid, thread: search.thread, messageId: search.m, go, open, openThread, closeThread };
};

function useTitle(): void {
  const unread = useUnread();
  useEffect(() => {
    document.title = unread > 0 ? `(${unread > 99 ? '99+' : unread}) Parley` : 'Parley';
    return () => {
      document.title = 'Parley';
    };
  }, [unread]);
}

/** Ctrl or Cmd with K, as in other chats. */
function useShortcut(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [act]);
}

export function ChatLayout({ onSignOut, onRetry }: ChatLayoutProps) {
  const me = useMe();
  const place = usePlace();
  const { theme, setTheme } = useTheme();
  const [isStarting, setStarting] = useState(false);
  const begin = useCallback(() => setStarting(!isVisitor(me?.role)), [me?.role]);
  useTitle();
  useShortcut(begin);
  const { cid, thread } = place;
  const pane: AppPane = cid === undefined ? 'sidebar' : thread === undefined ? 'conversation' : 'panel';
  return (
    <AppShell
      pane={pane}
      banner={<ConnectedBanner onRetry={onRetry} />}
      panelLabel="Thread"
      panel={
        cid === undefined || thread === undefined ? undefined : (
          <ThreadPanel key={thread} cid={cid} parentId={thread} onClose={place.closeThread} />
        )
      }
      sidebar={
        <Sidebar
          me={me}
          selected={cid}
          theme={theme}
          onTheme={setTheme}
          onSelect={place.open}
          onNew={begin}
          onSignOut={onSignOut}
        />
      }
    >
      {cid === undefined ? (
        <Welcome onNew={isVisitor(me?.role) ? undefined : begin} />
      ) : (
        <Conversation
          cid={cid}
          messageId={place.messageId}
          onBack={() => place.go('/')}
          onOpenThread={place.openThread}
        />
      )}
      <NewConversation open={isStarting} onOpenChange={setStarting} onCreated={place.open} />
    </AppShell>
  );
}

function Welcome({ onNew }: { onNew: (() => void) | undefined }) {
  return (
    <EmptyState
      level={1}
      icon={<IconThread size={32} />}
      title="Choose a conversation"
      hint="Or start a new one: somebody will be glad to hear from you."
      action={onNew && <Button onClick={onNew}>New conversation</Button>}
    />
  );
}
