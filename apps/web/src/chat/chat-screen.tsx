import { keptScreen } from '@parley/client/channels';
import { drafts } from '@parley/client/drafts';
import { ChatProvider, useConnectClient, useConnection } from '@parley/react';
import { LayerProvider } from '@parley/react/layers';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { ErrorPage } from '../app/error-page.tsx';
import { layerHistory } from '../app/history.ts';
import type { Beginning } from '../early/take-early.ts';
import type { DevApi } from '../session/dev-api.ts';
import { refusalOf, type SignInRefusal } from '../session/refusal.ts';
import { type Session, userOf } from '../session/session.ts';
import { countUnsent, discardUnsent } from '../session/unsent.ts';
import { UnsentDialog } from '../session/unsent-dialog.tsx';
import { ChatLayout } from './chat-layout.tsx';
import type { KeepScreen } from './use-keep-screen.ts';

export type ChatScreenProps = {
  apiKey: string;
  api: DevApi;
  session: Session;
  /** The calls that were made before the app was there. */
  beginningOf: (session: Session) => Beginning | undefined;
  /** Called with the screen that the next visit begins with. */
  onKeep: KeepScreen;
  /** Called with the reason, where it was the server's wish. */
  onSignOut: (why?: SignInRefusal) => void;
};

const options = { pageSize: 25 };

/** The longest time that a sign-out waits. */
const leaveMs = 1000;

/** Everything after the sign-in: one client, connected while this is shown. */
export function ChatScreen({ apiKey, api, session, beginningOf, onKeep, onSignOut }: ChatScreenProps) {
  const [beginning] = useState(() => beginningOf(session));
  const token = useMemo(() => {
    if (session.kind === 'token') return session.token;
    if (session.kind !== 'user') return undefined;
    const ask = () => api.token(session.id, session.name);
    return () => beginning?.takeToken()?.catch(ask) ?? ask();
  }, [api, session, beginning]);
  const user = userOf(session);
  const { client, error, retry } = useConnectClient({
    apiKey,
    options,
    ...(user && { user }),
    ...(token && { token }),
  });
  // The kept screen is shown before the first drawing, which would be one of empty places otherwise.
  useState(() => beginning?.screen && client.feature(keptScreen).show(beginning.screen));
  const [hasUnsent, setUnsent] = useState(false);
  const leave = async () => {
    // The storage of this browser forgets the user, so the last words go to the server; without a network nobody waits long.
    const saved = client.feature(drafts).saveAll();
    const pause = new Promise((resolve) => setTimeout(resolve, leaveMs));
    const [unsent] = await Promise.all([
      countUnsent(client, leaveMs).catch(() => 0),
      Promise.race([saved, pause]),
    ]);
    if (unsent > 0) setUnsent(true);
    else onSignOut();
  };
  const discard = () => discardUnsent(client).finally(() => onSignOut());
  const why = session.kind === 'token' ? refusalOf(error) : undefined;
  if (error !== undefined && why === undefined)
    return <ErrorPage error={error} action="backToSignIn" onAct={() => onSignOut()} />;
  return (
    <LayerProvider value={layerHistory.layers}>
      <ChatProvider client={client}>
        <WhileLetIn hasLink={session.kind === 'token'} refused={why} onRefused={onSignOut}>
          <ChatLayout onSignOut={() => void leave()} onRetry={retry} onKeep={onKeep} />
          {hasUnsent && <UnsentDialog onCancel={() => setUnsent(false)} onSignOut={() => void discard()} />}
        </WhileLetIn>
      </ChatProvider>
    </LayerProvider>
  );
}

type WhileLetInProps = {
  hasLink: boolean;
  refused: SignInRefusal | undefined;
  onRefused: (why: SignInRefusal) => void;
  children: ReactNode;
};

/** A link's token ends one day, also in the middle of a conversation: only another sign-in helps then. */
function WhileLetIn({ hasLink, refused, onRefused, children }: WhileLetInProps) {
  const connection = useConnection();
  // A socket that the server closes says that it refuses, and not always why.
  const isRefused = connection.status === 'disconnected' && connection.reason === 'refused';
  const ended = isRefused ? (refusalOf(connection.error) ?? 'ended') : undefined;
  const why = hasLink ? (refused ?? ended) : undefined;
  const refuse = useEffectEvent(onRefused);
  useEffect(() => {
    if (why !== undefined) refuse(why);
  }, [why]);
  return why === undefined ? children : null;
}
