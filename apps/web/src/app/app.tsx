import { lazyPart, MapProvider, Spinner, TextProvider } from '@parley/react';
import { useState } from 'react';
import { createDevApi } from '../session/dev-api.ts';
import { createSessionStore, type Session } from '../session/session.ts';
import { SignIn } from '../session/sign-in.tsx';
import styles from './app.module.css';
import { useConfig } from './config-context.tsx';
import { localeOf } from './direction.ts';

const ChatScreen = lazyPart(async () => (await import('../chat/chat-screen.tsx')).ChatScreen, { Waiting });

const sessions = createSessionStore(sessionStorage, localStorage);
const locale = localeOf(location.search, navigator.languages);

/** Signed in or not: the address stays, so a link works through the sign-in. */
export function App() {
  const { apiKey, demo, mapTiles } = useConfig();
  const [api] = useState(() => createDevApi(apiKey, (input, init) => fetch(input, init)));
  const [session, setSession] = useState(sessions.load);
  const signIn = (next: Session) => {
    sessions.save(next);
    setSession(next);
  };
  const signOut = () => {
    sessions.clear();
    setSession(undefined);
  };
  return (
    <TextProvider locale={locale}>
      {session === undefined ? (
        <SignIn api={api} demo={demo} onSignIn={signIn} />
      ) : (
        <MapProvider settings={{ tileUrl: mapTiles?.url, attribution: mapTiles?.attribution }}>
          <ChatScreen apiKey={apiKey} api={api} session={session} onSignOut={signOut} />
        </MapProvider>
      )}
    </TextProvider>
  );
}

function Waiting() {
  return (
    <main className={`parley ${styles.page}`}>
      <span className={styles.wait}>
        <Spinner size={28} label="Loading" />
      </span>
    </main>
  );
}
