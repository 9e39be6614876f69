import { unreadTotal } from '@parley/client/reads';
import {
  type AppPane,
  AppShell,
  Button,
  ConnectedBanner,
  Conversation,
  EmptyState,
  IconThread,
  IconWarning,
  lazyPart,
  useClient,
  useIsFirstScreenReady,
  useMe,
  useTexts,
} from '@parley/react';
import { PinnedMessages } from '@parley/react/messages';
import { ThreadPanel } from '@parley/react/threads';
import { useDeferredValue, useEffect, useState } from 'react';
import { createFocusFallback } from '../app/focus-fallback.ts';
import { layerHistory } from '../app/history.ts';
import { appTexts } from '../app/texts.ts';
import { useTheme } from '../app/theme.ts';
import { useShortcuts } from '../keys/use-shortcuts.ts';
import { ChannelTools, MediaPanel, MembersPanel } from './channel-life.tsx';
import { linkOf } from './channel-link.ts';
import { FirstUnread } from './first-unread.tsx';
import { spotOf } from './message-spot.ts';
import { hasUnread, isUnreadBelow, listedCids, loadOn, neighbourOf } from './neighbours.ts';
import { type Overlays, OverlayView, useOverlays, useRecent } from './overlays.tsx';
import { Part } from './part.tsx';
import { PlaceScreen } from './place-screen.tsx';
import { isVisitor, Sidebar } from './sidebar.tsx';
import { createUnreadWay } from './unread-way.ts';
import { UpdatedBanner } from './updated-banner.tsx';
import { type KeepScreen, useKeepScreen } from './use-keep-screen.ts';
import { useOpenedAnew } from './use-opened-anew.ts';
import { isNarrow, type Place, usePlace } from './use-place.ts';
import { useTitle } from './use-title.ts';

const LaterSync = lazyPart(async () => (await import('@parley/react/reminders')).LaterSync, {
  Missing: () => null,
});

const SharingBanner = lazyPart(async () => (await import('@parley/react/locations')).SharingBanner, {
  Missing: () => null,
});

export type ChatLayoutProps = { onSignOut: () => void; onRetry: () => void; onKeep: KeepScreen };

/** The search that is open gets the focus; pressed there once more, the key is the browser's own. */
const focusSearch = ({ openSearch }: Place): unknown => {
  const field = document.querySelector<HTMLElement>('search input');
  if (field === null || field === document.activeElement) return false;
  return field.checkVisibility() ? field.focus() : openSearch();
};

/** The pages of the list that one press of a key loads at most. */
const mostPages = 20;

/**
 * True under a dialog that may hold something unfinished: the switcher would lie over it, or would throw it away. The pages of
 * shortcuts and of unread conversations hold nothing, so it takes their place.
 */
const isAsking = ({ shown }: Overlays): boolean =>
  shown !== 'shortcuts' &&
  shown !== 'unread' &&
  // A popover has a side at which it stands; it closes when it loses the focus.
  document.querySelector('[role="dialog"][data-open]:not([data-side])') !== null;

/** The shortcuts of the app; the table says by which keys. */
function useKeys(place: Place, overlays: Overlays, toFirstUnread: () => void): void {
  const client = useClient();
  const isUnread = (cid: string) => hasUnread(client, cid);
  const mayFindUnread = () => {
    const unread = client.feature(unreadTotal);
    const loaded = listedCids(document).flatMap((cid) => client.channels.state(cid).get() ?? []);
    return isUnreadBelow(loaded, { total: unread.get(), archived: unread.archived.get() }, place.shelf);
  };
  const step = async (by: 1 | -1, fits?: (cid: string) => boolean) => {
    const from = location.pathname;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const next = neighbourOf(listedCids(document), place.cid, by, fits);
      if (next !== undefined) return place.open(next);
      if (by === -1 || (fits && !mayFindUnread()) || !(await loadOn(document))) return;
      // A user who has gone elsewhere meanwhile stays there.
      if (location.pathname !== from || layerHistory.isCovered()) return;
    }
  };
  useShortcuts({
    switcher: () => {
      if (overlays.shown === 'switcher') overlays.close();
      else if (!isAsking(overlays)) overlays.open('switcher');
    },
    find: () => (place.words === undefined ? place.openSearch() : focusSearch(place)),
    previous: () => step(-1),
    next: () => step(1),
    previousUnread: () => step(-1, isUnread),
    nextUnread: () => step(1, isUnread),
    firstUnread: toFirstUnread,
    shortcuts: () => overlays.open('shortcuts'),
  });
}

/** The focus does not get lost when a layer or a panel closes. */
function useKeptFocus(): void {
  useEffect(() => {
    const fallback = createFocusFallback(document);
    const stop = layerHistory.subscribe(fallback.check);
    return () => {
      stop();
      fallback.stop();
    };
  }, []);
}

export function ChatLayout({ onSignOut, onRetry, onKeep }: ChatLayoutProps) {
  const me = useMe();
  const isReady = useIsFirstScreenReady();
  const place = usePlace();
  const { theme, setTheme } = useTheme();
  const overlays = useOverlays();
  const visitor = isVisitor(me?.role);
  useTitle(place.cid, place.screen);
  const [unreadWay] = useState(() => createUnreadWay(() => location.pathname));
  useKeys(place, overlays, unreadWay.go);
  useKeptFocus();
  useRecent(place.cid);
  useKeepScreen(place, visitor, onKeep);
  const panel = panelOf(place);
  const pane = paneOf(place, panel !== undefined);
  // Where only the conversation is seen, it is drawn first, and the list that is hidden behind it after it is painted.
  const drawsSidebar = useDeferredValue(true, pane === 'sidebar' || !isNarrow());
  return (
    <AppShell
      pane={pane}
      banner={
        <>
          <ConnectedBanner onRetry={onRetry} />
          {isReady && <SharingBanner />}
          <UpdatedBanner />
        </>
      }
      panelLabel={usePanelName(place)}
      panel={panel && <Part of={`${place.cid} ${place.thread} ${place.panel}`}>{panel}</Part>}
      sidebar={
        drawsSidebar && (
          <Part of={place.shelf}>
            <Sidebar
              me={me}
              place={place}
              theme={theme}
              onTheme={setTheme}
              onOpen={overlays.open}
              onSignOut={onSignOut}
            />
          </Part>
        )
      }
    >
      <Part of={`${place.cid} ${place.screen}`}>
        <Main place={place} mayStart={!visitor} onNew={() => overlays.open('new')} />
      </Part>
      {place.cid && <FirstUnread key={place.cid} cid={place.cid} way={unreadWay} jumpTo={place.jumpTo} />}
      {isReady && !visitor && <Later place={place} />}
      <OverlayView
        overlays={overlays}
        place={place}
        mayStart={!visitor}
        onTheme={setTheme}
        onSignOut={onSignOut}
      />
    </AppShell>
  );
}

type MainProps = { place: Place; mayStart: boolean; onNew: () => void };

/** The middle: a conversation, a screen, or a way to one. */
function Main({ place, mayStart, onNew }: MainProps) {
  const { cid, screen, thread } = place;
  const key = useOpenedAnew(cid);
  if (screen)
    return (
      <PlaceScreen
        place={screen}
        onOpen={place.openIn}
        onOpenMessage={place.openMessage}
        onBack={place.toList}
      />
    );
  if (place.isUnknown) return <NotFound onBack={place.toList} />;
  if (cid === undefined) return <Welcome onNew={mayStart ? onNew : undefined} />;
  return (
    <Conversation
      key={key}
      cid={cid}
      messageId={place.messageId && (thread ?? place.messageId)}
      actions={<HeaderActions cid={cid} place={place} />}
      onBack={place.toList}
      onOpenThread={place.openThread}
      onOpenDetails={mayStart ? () => place.toggle('members', place.panel === 'members') : undefined}
      linkOf={linkOf}
    />
  );
}

/** The pane that a narrow screen shows. */
const paneOf = ({ screen, cid, isUnknown }: Place, hasPanel: boolean): AppPane => {
  if (screen || isUnknown) return 'conversation';
  if (cid === undefined) return 'sidebar';
  return hasPanel ? 'panel' : 'conversation';
};

function usePanelName({ thread, panel }: Place): string {
  const text = useTexts(appTexts);
  if (thread !== undefined) return text('thread');
  return text(panel === 'media' ? 'media' : 'members');
}

/** The panel beside the conversation: a thread, the members, or the shared files. */
function panelOf({ cid, thread, panel, ...place }: Place) {
  if (cid === undefined) return undefined;
  if (thread !== undefined)
    return (
      <ThreadPanel
        key={thread}
        cid={cid}
        parentId={thread}
        messageId={place.messageId === thread ? undefined : place.messageId}
        onClose={place.closePanel}
        linkOf={linkOf}
      />
    );
  if (panel === 'members')
    return <MembersPanel key={cid} cid={cid} onClose={place.closePanel} onOpen={place.open} />;
  if (panel === 'media')
    return <MediaPanel key={cid} cid={cid} onClose={place.closePanel} onJump={place.jumpTo} />;
  return undefined;
}

/** Shows a notice for due reminders, on every screen. */
function Later({ place: { go, jumpTo } }: { place: Place }) {
  return (
    <LaterSync
      onOpenReminder={(reminder) => jumpTo(spotOf(reminder))}
      onOpenReminders={() => go('/reminders')}
      onOpenScheduled={() => go('/scheduled')}
    />
  );
}

function HeaderActions({ cid, place }: { cid: string; place: Place }) {
  const toggle = (name: 'members' | 'media') => place.toggle(name, place.panel === name);
  return (
    <>
      <PinnedMessages cid={cid} onJump={place.jumpTo} />
      <ChannelTools
        cid={cid}
        onClose={place.toList}
        onMembers={() => toggle('members')}
        onMedia={() => toggle('media')}
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

function NotFound({ onBack }: { onBack: () => void }) {
  const text = useTexts(appTexts);
  return (
    <EmptyState
      level={1}
      icon={<IconWarning size={32} />}
      title={text(location.pathname.startsWith('/c/') ? 'conversationMissing' : 'pageMissing')}
      hint={text('pageMissingHint')}
      action={<Button onClick={onBack}>{text('backToChats')}</Button>}
    />
  );
}
