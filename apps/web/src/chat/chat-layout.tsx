import type { VisibleMessage } from '@parley/client';
import {
  type AppPane,
  AppShell,
  Button,
  ConnectedBanner,
  Conversation,
  EmptyState,
  IconThread,
  lazyPart,
  NewConversation,
  useFirstScreenStands,
  useMe,
  useTexts,
} from '@parley/react';
import { PinnedMessages } from '@parley/react/pins';
import { ThreadPanel } from '@parley/react/thread';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { appTexts } from '../app/texts.ts';
import { useTheme } from '../app/theme.ts';
import { ChannelTools, MediaPanel, MembersPanel } from './channel-life.tsx';
import { hrefOf, linkOf } from './channel-link.ts';
import { type MessageSpot, spotOf } from './message-spot.ts';
import { PlaceScreen } from './place-screen.tsx';
import type { PlaceName } from './places.tsx';
import { isVisitor, Sidebar } from './sidebar.tsx';
import { useTitle } from './use-title.ts';

const LaterSync = lazyPart(async () => (await import('@parley/react/reminders')).LaterSync, {
  Missing: () => null,
});

const SharingBanner = lazyPart(async () => (await import('@parley/react/sharing')).SharingBanner, {
  Missing: () => null,
});

export type ChatLayoutProps = { onSignOut: () => void; onRetry: () => void };

const screens: Readonly<Record<string, PlaceName>> = {
  '/threads': 'threads',
  '/drafts': 'drafts',
  '/reminders': 'reminders',
  '/scheduled': 'scheduled',
  '/delete': 'delete',
};

/** The address says what is open: the channel in the path, the thread and a message after it. */
const usePlace = () => {
  const params: { type?: string; id?: string } = useParams({ strict: false });
  const search: { thread?: string; m?: string; panel?: string } = useSearch({ strict: false });
  const screen = screens[useLocation().pathname];
  const navigate = useNavigate();
  const cid = params.type && params.id ? `${params.type}:${params.id}` : undefined;
  const go = useCallback((to: string) => void navigate({ to: to as '/' }), [navigate]);
  const open = useCallback((target: string) => go(hrefOf(target)), [go]);
  const openMessage = useCallback(
    ({ cid: target, id, parent_id, show_in_channel }: MessageSpot) => {
      const thread = show_in_channel ? undefined : parent_id;
      const search = thread === undefined ? { m: id } : { m: id, thread };
      void navigate({ to: hrefOf(target) as '/', search: search });
    },
    [navigate],
  );
  const openIn = useCallback(
    (target: string, thread: string | undefined) => {
      const search = thread === undefined ? {} : { thread };
      void navigate({ to: hrefOf(target) as '/', search: search });
    },
    [navigate],
  );
  /** Also to the message that the address names already. */
  const jumpTo = useCallback(
    async (message: MessageSpot) => {
      await navigate({ to: '.', search: {}, replace: true });
      openMessage(message);
    },
    [navigate, openMessage],
  );
  const openThread = useCallback(
    (message: VisibleMessage) =>
      void navigate({ to: '.', search: { thread: message.parent_id ?? message.id } }),
    [navigate],
  );
  const closeThread = useCallback(() => void navigate({ to: '.', search: {} }), [navigate]);
  const panel = search.thread === undefined ? search.panel : undefined;
  const toggle = useCallback(
    (name: 'members' | 'media') => void navigate({ to: '.', search: panel === name ? {} : { panel: name } }),
    [navigate, panel],
  );
  const toggleMembers = useCallback(() => toggle('members'), [toggle]);
  const toggleMedia = useCallback(() => toggle('media'), [toggle]);
  return {
    screen,
    openIn,
    cid,
    thread: search.thread,
    messageId: search.m,
    go,
    open,
    openMessage,
    jumpTo,
    openThread,
    closeThread,
    panel,
    toggleMembers,
    toggleMedia,
  };
};

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
  const stands = useFirstScreenStands();
  const place = usePlace();
  const { theme, setTheme } = useTheme();
  const [isStarting, setStarting] = useState(false);
  const begin = useCallback(() => setStarting(!isVisitor(me?.role)), [me?.role]);
  const { cid, thread, screen } = place;
  useTitle(cid, screen);
  useShortcut(begin);
  const panel = panelOf(place);
  return (
    <AppShell
      pane={paneOf(place, panel !== undefined)}
      banner={
        <>
          <ConnectedBanner onRetry={onRetry} />
          {stands && <SharingBanner />}
        </>
      }
      panelLabel={usePanelName(place)}
      panel={panel}
      sidebar={
        <Sidebar
          me={me}
          selected={cid}
          screen={screen}
          onScreen={(name) => place.go(`/${name}`)}
          theme={theme}
          onTheme={setTheme}
          onSelect={place.open}
          onOpenMessage={place.openMessage}
          onNew={begin}
          onSignOut={onSignOut}
        />
      }
    >
      {screen ? (
        <PlaceScreen
          place={screen}
          onOpen={place.openIn}
          onOpenMessage={place.openMessage}
          onBack={() => place.go('/')}
        />
      ) : cid === undefined ? (
        <Welcome onNew={isVisitor(me?.role) ? undefined : begin} />
      ) : (
        <Conversation
          cid={cid}
          messageId={place.messageId && (thread ?? place.messageId)}
          actions={<HeaderActions cid={cid} place={place} />}
          onBack={() => place.go('/')}
          onOpenThread={place.openThread}
          onOpenDetails={isVisitor(me?.role) ? undefined : place.toggleMembers}
          linkOf={linkOf}
        />
      )}
      {stands && !isVisitor(me?.role) && <Later place={place} />}
      <NewConversation open={isStarting} onOpenChange={setStarting} onCreated={place.open} />
    </AppShell>
  );
}

/** Which of the panes a narrow screen shows. */
const paneOf = ({ screen, cid }: ReturnType<typeof usePlace>, hasPanel: boolean): AppPane => {
  if (screen) return 'conversation';
  if (cid === undefined) return 'sidebar';
  return hasPanel ? 'panel' : 'conversation';
};

function usePanelName({ thread, panel }: ReturnType<typeof usePlace>): string {
  const text = useTexts(appTexts);
  if (thread !== undefined) return text('thread');
  return text(panel === 'media' ? 'media' : 'members');
}

/** The panel beside the conversation: a thread, the members, or the shared files. */
function panelOf({ cid, thread, panel, ...place }: ReturnType<typeof usePlace>) {
  if (cid === undefined) return undefined;
  if (thread !== undefined)
    return (
      <ThreadPanel
        key={thread}
        cid={cid}
        parentId={thread}
        messageId={place.messageId === thread ? undefined : place.messageId}
        onClose={place.closeThread}
        linkOf={linkOf}
      />
    );
  if (panel === 'members')
    return <MembersPanel key={cid} cid={cid} onClose={place.closeThread} onOpen={place.open} />;
  if (panel === 'media')
    return <MediaPanel key={cid} cid={cid} onClose={place.closeThread} onJump={place.jumpTo} />;
  return undefined;
}

/** Shows a notice for due reminders, on every screen. */
function Later({ place: { go, jumpTo } }: { place: ReturnType<typeof usePlace> }) {
  return (
    <LaterSync
      onOpenReminder={(reminder) => void jumpTo(spotOf(reminder))}
      onOpenReminders={() => go('/reminders')}
      onOpenScheduled={() => go('/scheduled')}
    />
  );
}

function HeaderActions({ cid, place }: { cid: string; place: ReturnType<typeof usePlace> }) {
  return (
    <>
      <PinnedMessages cid={cid} onJump={place.jumpTo} />
      <ChannelTools
        cid={cid}
        onClose={() => place.go('/')}
        onMembers={place.toggleMembers}
        onMedia={place.toggleMedia}
      />
    </>
  );
}

function Welcome({ onNew }: { onNew: (() => void) | undefined }) {
  const text = useTexts(appTexts);
  return (
    <EmptyState
      level={1}
      icon={<IconThread size={32} />}
      title={text('choose')}
      hint={text(onNew ? 'chooseHint' : 'chooseOpenHint')}
      action={onNew && <Button onClick={onNew}>{text('newConversation')}</Button>}
    />
  );
}
