import type { Feature, OwnUser, ParleyClient } from '@parley/client';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { NoticeProvider } from '../ui/notices.tsx';
import { preloadPopups } from '../ui/preload-popups.ts';
import { TooltipGroup } from '../ui/tooltip.tsx';
import { createFirstScreen, type FirstScreen } from './first-screen.ts';
import { useReadable } from './use-readable.ts';

export type Chat = { client: ParleyClient; firstScreen: FirstScreen };

const ChatContext = createContext<Chat | undefined>(undefined);

export type ClientProviderProps = { client: ParleyClient; children: ReactNode };

/** Gives a client, notices and tooltips to everything inside: for products with their own interface. `ChatProvider` adds the features of the kit. */
export function ClientProvider({ client, children }: ClientProviderProps) {
  if (!client?.feature) throw new Error('ChatProvider or ClientProvider needs a client of createClient');
  const chat = useMemo(() => ({ client, firstScreen: createFirstScreen() }), [client]);
  const isReady = useReadable(chat.firstScreen.isReady);
  useEffect(() => (isReady ? preloadPopups() : undefined), [isReady]);
  useEffect(() => chat.firstScreen.start(), [chat]);
  return (
    <ChatContext value={chat}>
      <TooltipGroup>
        <NoticeProvider>{children}</NoticeProvider>
      </TooltipGroup>
    </ChatContext>
  );
}

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined)
    throw new Error('Parley parts belong inside a ChatProvider, hooks also inside a ClientProvider');
  return chat;
}

/** The client of the nearest `ChatProvider`. */
export function useClient(): ParleyClient {
  return useChat().client;
}

/** A feature of the client that is loaded late; the same object for all components, emptied when the user signs out. */
export function useFeature<T>(feature: Feature<T>): T {
  return useClient().feature(feature);
}

/** The own user; undefined until the first connection and after the last. */
export function useMe(): OwnUser | undefined {
  return useReadable(useClient().me);
}

const idOf = (me: OwnUser | undefined): string | undefined => me?.id;

/** The id of the own user, undefined until the client is connected. Unlike the totals of unread messages, it does not change with every message. */
export function useOwnId(): string | undefined {
  return useReadable(useClient().me, idOf);
}
