import { ChatProvider, useConnectClient } from '@parley/react';
import { useMemo } from 'react';
import { ErrorPage } from '../app/error-page.tsx';
import type { DevApi } from '../session/dev-api.ts';
import { type Session, userOf } from '../session/session.ts';
import { ChatLayout } from './chat-layout.tsx';

export type ChatScreenProps = { apiKey: string; api: DevApi; session: Session; onSignOut: () => void };

const options = { pageSize: 25 };

/** Everything after the sign-in: one client, connected while this is shown. */
export function ChatScreen({ apiKey, api, session, onSignOut }: ChatScreenProps) {
  const token = useMemo(
    () => (session.kind === 'user' ? () => api.token(session.id, session.name) : undefined),
    [api, session],
  );
  const user = userOf(session);
  const { client, error, retry } = useConnectClient({
    apiKey,
    options,
    ...(user && { user }),
    ...(token && { token }),
  });
  if (error !== undefined) return <ErrorPage error={error} action="Back to sign-in" onAct={onSignOut} />;
  return (
    <ChatProvider client={client}>
      <ChatLayout onSignOut={onSignOut} onRetry={retry} />
    </ChatProvider>
  );
}
