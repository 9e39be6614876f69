import { lazyPart, MapProvider, Spinner, useTexts } from '@parley/react';
import { useEffect, useState } from 'react';
import { createDevApi } from '../session/dev-api.ts';
import type { SignInRefusal } from '../session/refusal.ts';
import { createSessionStore, isEndedBy, type Session } from '../session/session.ts';
import { SignIn } from '../session/sign-in.tsx';
import { SignInGuide } from '../session/sign-in-guide.tsx';
import { type TokenLink, takeTokenLink } from '../session/token-link.ts';
import styles from './app.module.css';
import { useConfig } from './config-context.tsx';
import { appTexts } from './texts.ts';

const ChatScreen = lazyPart(async () => (await import('../chat/chat-screen.tsx')).ChatScreen, { Waiting });

const sessions = createSessionStore(sessionStorage, localStorage);

type Entry = { session: Session | undefined; refused?: SignInRefusal };

const entryOf = (link: TokenLink | undefined): Entry => {
  if (link === undefined) return { session: sessions.load() };
  if ('refused' in link) return { session: undefined, refused: link.refused };
  sessions.save(link.session);
  return link;
};

/** Read while the app is loaded, not while it is drawn: the token must not stay in the address until then. */
const firstEntry = entryOf(takeTokenLink(location, history, Date.now));

/** Signed in or not: the address stays, so a link works through the sign-in. */
export function App() {
  const { apiKey, demo, mapTiles, signInUrl } = useConfig();
  const [api] = useState(() => createDevApi(apiKey, (input, init) => fetch(input, init)));
  const [{ session, refused }, setEntry] = useState(firstEntry);
  const signIn = (next: Session) => {
    sessions.save(next);
    setEntry({ session: next });
  };
  const signOut = (why?: SignInRefusal) => {
    sessions.clear();
    setEntry({ session: undefined, ...(why && { refused: why }) });
  };
  // A user who signs out on a shared machine must not leave their messages on the screen of another tab.
  useEffect(() => {
    if (session === undefined) return;
    const end = (event: StorageEvent) => {
      if (!isEndedBy(event, session)) return;
      sessions.clear();
      setEntry({ session: undefined });
    };
    addEventListener('storage', end);
    return () => removeEventListener('storage', end);
  }, [session]);
  return (
    <>
      {session !== undefined ? (
        <MapProvider settings={{ tileUrl: mapTiles?.url, attribution: mapTiles?.attribution }}>
          <ChatScreen apiKey={apiKey} api={api} session={session} onSignOut={signOut} />
        </MapProvider>
      ) : demo && refused === undefined ? (
        <SignIn api={api} onSignIn={signIn} />
      ) : (
        <SignInGuide signInUrl={signInUrl} refused={refused} />
      )}
    </>
  );
}

function Waiting() {
  const text = useTexts(appTexts);
  return (
    <main className={`parley ${styles.page}`}>
      <span className={styles.wait}>
        <Spinner size={28} label={text('loading')} />
      </span>
    </main>
  );
}
