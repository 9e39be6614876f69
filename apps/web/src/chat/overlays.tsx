import { lazyPart, NewConversation, useMe } from '@parley/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Theme } from '../app/theme.ts';
import { type EarlyTyping, keepTyping } from '../keys/early-typing.ts';
import { recentOf, remember } from '../keys/recent.ts';
import type { MessageSpot } from './message-spot.ts';
import { UnreadWhy } from './unread-why.tsx';
import type { Place } from './use-place.ts';

const Switcher = lazyPart(async () => (await import('../keys/switcher.tsx')).Switcher);
const ShortcutsPage = lazyPart(async () => (await import('../keys/shortcuts-page.tsx')).ShortcutsPage);

/** The dialogs of the app itself: one at a time. */
export type Overlay = 'new' | 'switcher' | 'shortcuts' | 'unread';

export type Overlays = {
  shown: Overlay | undefined;
  open: (what: Overlay) => void;
  close: () => void;
  early: EarlyTyping | undefined;
};

/** The dialog that is open. Letters are kept from the press of the shortcut until the switcher has its field. */
export function useOverlays(): Overlays {
  const [state, setState] = useState<Pick<Overlays, 'shown' | 'early'>>({
    shown: undefined,
    early: undefined,
  });
  const kept = useRef<EarlyTyping>(undefined);
  const show = useCallback((shown: Overlay | undefined) => {
    kept.current?.take();
    const early = shown === 'switcher' ? keepTyping(document, () => show(undefined)) : undefined;
    kept.current = early;
    // A switcher that cannot be loaded says so; what is typed then is meant for the page again.
    if (early) Switcher.preload().catch(() => early.take());
    setState({ shown, early });
  }, []);
  const close = useCallback(() => show(undefined), [show]);
  return { ...state, open: show, close };
}

/** Notes which conversations were open last. */
export function useRecent(cid: string | undefined): void {
  const ownId = useMe()?.id;
  useEffect(() => {
    if (ownId !== undefined && cid !== undefined) remember(localStorage, ownId, cid);
  }, [ownId, cid]);
}

export type OverlayViewProps = {
  overlays: Overlays;
  place: Place;
  mayStart: boolean;
  onTheme: (theme: Theme) => void;
  onSignOut: () => void;
};

export function OverlayView({ overlays, place, mayStart, onTheme, onSignOut }: OverlayViewProps) {
  const { shown, open, close, early } = overlays;
  const ownId = useMe()?.id ?? '';
  const openMessage = (message: MessageSpot) => place.openMessage(message);
  return (
    <>
      <NewConversation
        open={shown === 'new'}
        onOpenChange={(isOpen) => (isOpen ? open('new') : close())}
        onCreated={place.open}
      />
      {shown === 'unread' && <UnreadWhy onClose={close} onOpen={openMessage} />}
      {shown === 'shortcuts' && <ShortcutsPage onClose={close} />}
      {shown === 'switcher' && early && (
        <Switcher
          cid={place.cid}
          recent={recentOf(localStorage, ownId)}
          early={early}
          onClose={close}
          ways={{
            openChannel: place.open,
            openScreen: (name) => place.go(`/${name}`),
            openShelf: place.openShelf,
            openSearch: place.openSearch,
            openShortcuts: () => open('shortcuts'),
            openUnread: () => open('unread'),
            newConversation: mayStart ? () => open('new') : undefined,
            setTheme: onTheme,
            signOut: onSignOut,
          }}
        />
      )}
    </>
  );
}
