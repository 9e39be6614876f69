import { Spinner, TextProvider } from '@parley/react';
import { lazy, Suspense, useState } from 'react';
import { createDevApi } from '../session/dev-api.ts';
import { createSessionStore, type Session } from '../session/session.ts';
import { SignIn } from '../session/sign-in.tsx';
import styles from './app.module.css';
import { useConfig } from './config-context.tsx';
import { localeOf } from './direction.ts';

const ChatScreen = lazy(async () => ({ default: (await import('../chat/chat-screen.tsx')).ChatScreen }));

const sessions = createSessionStore(sessionStorage, localStorage);
const locale = localeOf(location.search, navigator.languages);

/** Signed in or not: the address stays, so a link works through the sign-in. */
export function App() {
  const { apiKey, demo } = useConfig();
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
        <Suspense fallback={<Waiting />}>
          <ChatScreen apiKey={apiKey} api={api} session={session} onSignOut={signOut} />
        </Suspense>
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
