import type { Screen } from '@parley/client/channels';
import { lazyPart, MapProvider } from '@parley/react';
import { loadMarkdown } from '@parley/react/markdown';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { createKeptShelf } from '../early/kept-shelf.ts';
import { type Beginning, takeEarly } from '../early/take-early.ts';
import { createDevApi } from '../session/dev-api.ts';
import { forgetPerson } from '../session/forget-person.ts';
import type { SignInRefusal } from '../session/refusal.ts';
import { createSessionStore, type Session } from '../session/session.ts';
import { SignIn } from '../session/sign-in.tsx';
import { SignInGuide } from '../session/sign-in-guide.tsx';
import { type TokenLink, takeTokenLink } from '../session/token-link.ts';
import { useConfig } from './config-context.tsx';
import { layerHistory } from './history.ts';
import { createKeptPages, takePage } from './kept-page.ts';
import { Waiting } from './waiting.tsx';

const sessions = createSessionStore(sessionStorage, localStorage);

type Entry = {
  session: Session | undefined;
  refused?: SignInRefusal;
  /** The person who signed out, or was signed out by another tab. */
  left?: Session;
};

const entryOf = (link: TokenLink | undefined): Entry => {
  if (link === undefined) return { session: sessions.load() };
  if ('refused' in link) return { session: undefined, refused: link.refused };
  sessions.save(link.session);
  return link;
};

/** Read while the app is loaded, not while it is drawn: the token must not stay in the address until then. */
const firstEntry = entryOf(takeTokenLink(location, history, Date.now));

let beginning: Beginning | undefined;
const begin = async (): Promise<void> => {
  if (firstEntry.session) beginning = await takeEarly(window.parleyEarly, firstEntry.session);
};
const begun = begin();
/** A function: it is not there yet when the screen waits for it. */
const beginningOf = (session: Session) => (session === firstEntry.session ? beginning : undefined);

const ChatScreen = lazyPart(
  async () => {
    // Texts without their marks would do too.
    const marks = loadMarkdown().catch(() => undefined);
    const [loaded] = await Promise.all([import('../chat/chat-screen.tsx'), begun, marks]);
    return loaded.ChatScreen;
  },
  { Waiting },
);
/** Resolves when the first screen can be drawn. It loads now, not when it is first drawn: it is there by then. */
export const appReady: Promise<void> = firstEntry.session
  ? ChatScreen.preload().catch(() => undefined)
  : Promise.resolve();

const version = window.parleyEarly?.version;
/** Undefined where the build has no name, as in development. */
const shelf = version === undefined ? undefined : createKeptShelf(localStorage, version, Date.now);
const pages = version === undefined ? undefined : createKeptPages(localStorage, version, Date.now);

/** The language in which everything is drawn, whatever the browser is set to meanwhile. */
const { language } = navigator;

/** Keeps the screen and the page for the next visit. What lies over the page is not part of it. */
const keep = (screen: Screen, root: HTMLElement | null): void => {
  shelf?.write(screen);
  if (!root || root.inert || layerHistory.isCovered()) return;
  pages?.write(screen.me.id, takePage({ location, navigator: { language }, innerWidth }, root));
};

/** Signed in or not: the address stays, so a link works through the sign-in. */
export function App() {
  const { apiKey, demo, mapTiles, signInUrl } = useConfig();
  const [api] = useState(() => createDevApi(apiKey, (input, init) => fetch(input, init)));
  const [{ session, refused, left }, setEntry] = useState(firstEntry);
  const signIn = (next: Session) => {
    sessions.save(next);
    setEntry({ session: next });
  };
  const signOut = (why?: SignInRefusal) => {
    if (session === undefined) return;
    sessions.clear(session);
    if (session.kind !== 'anonymous') for (const kept of [shelf, pages]) kept?.remove(session.id);
    // A sign-out takes a moment: somebody else may be signed in by then. One that has expired is continued by the same user, where it was.
    const next: Entry = { session: undefined, ...(why ? { refused: why } : { left: session }) };
    setEntry((now) => (now.session === session ? next : now));
  };
  useSignedOutElsewhere(session, () => signOut());
  useForgotten(left);
  return (
    <>
      {session !== undefined ? (
        <MapProvider settings={{ tileUrl: mapTiles?.url, attribution: mapTiles?.attribution }}>
          <ChatScreen
            apiKey={apiKey}
            api={api}
            session={session}
            beginningOf={beginningOf}
            onKeep={(screen) => {
              if (!sessions.isEnded(session)) keep(screen, document.getElementById('root'));
            }}
            onSignOut={signOut}
          />
        </MapProvider>
      ) : demo && refused === undefined ? (
        <SignIn api={api} onSignIn={signIn} />
      ) : (
        <SignInGuide signInUrl={signInUrl} refused={refused} />
      )}
    </>
  );
}

/** A tab that sleeps or lies behind the Back button misses the event: it looks when it is shown again. */
const wakings = ['storage', 'pageshow', 'focus', 'resume'] as const;

/** A user who signs out on a shared machine must not leave their messages on the screen of another tab. */
function useSignedOutElsewhere(session: Session | undefined, onEnded: () => void): void {
  const end = useEffectEvent(onEnded);
  useEffect(() => {
    if (session === undefined) return;
    const check = () => {
      if (sessions.isEnded(session)) end();
    };
    for (const type of wakings) addEventListener(type, check);
    document.addEventListener('visibilitychange', check);
    return () => {
      for (const type of wakings) removeEventListener(type, check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [session]);
}

/**
 * Removes what is left of a person who signed out, after the screen is gone: it may store a draft until then. The next user does not
 * begin where this one was, nor comes there by Back.
 */
function useForgotten(left: Session | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (left === undefined) return;
    forgetPerson(left, localStorage, sessions.isInUse());
    sessionStorage.clear();
    layerHistory.toFirst(
      () => void navigate({ to: '/', search: ({ locale }) => (locale ? { locale } : {}), replace: true }),
    );
  }, [left, navigate]);
}
