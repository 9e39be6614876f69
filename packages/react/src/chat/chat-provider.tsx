import type { Feature, OwnUser, ParleyClient } from '@parley/client';
import type { UploadFunction } from '@parley/client/attachments';
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo } from 'react';
import { type ComposerExtras, createComposerExtras } from '../features/composer/composer-extras.ts';
import { createDraftBox, type DraftBox } from '../features/drafts/draft-box.ts';
import { DraftKeeper } from '../features/drafts/draft-keeper.tsx';
import { type Later, nothingLater } from '../features/reminders/later-box.ts';
import type { Anchor } from '../list/list-window.ts';
import { NoticeProvider } from '../ui/notices.tsx';
import { preloadPopups } from '../ui/preload-popups.ts';
import { TooltipGroup } from '../ui/tooltip.tsx';
import { createFirstScreen, type FirstScreen } from './first-screen.ts';
import { type Box, createBox } from './readables.ts';
import { useReadable } from './use-readable.ts';

/** The settings that the uploads of all composers share; the uploads are loaded late, and may never be. */
type Uploading = { upload?: UploadFunction | undefined; stop?: () => void };

export type ChatState = {
  drafts: DraftBox;
  /** The attachments of the messages that are being written. */
  extras: ComposerExtras;
  uploading: Uploading;
  /** Channels begun here; lists show them before the server counts them in. */
  begun: Box<readonly string[]>;
  /** Reminders and scheduled messages, once they are loaded. */
  later: Box<Later>;
  /** The places at which the reader left channels, by cid. */
  places: Map<string, Anchor>;
  /** The keys of the drafts in which a voice message is being recorded or waits to be sent. */
  recordings: Box<ReadonlySet<string>>;
};

/** The state of the interface that belongs to the user of a client. */
export const chatState: Feature<ChatState> = {
  name: 'chat-state',
  create: ({ resets }) => {
    const drafts = createDraftBox();
    const begun = createBox<readonly string[]>([]);
    const later = createBox(nothingLater);
    const uploading: Uploading = {};
    const places = new Map<string, Anchor>();
    const recordings = createBox<ReadonlySet<string>>(new Set());
    resets.push(() => {
      uploading.stop?.();
      drafts.resetAll();
      begun.set([]);
      later.set(nothingLater);
      places.clear();
      recordings.set(new Set());
    });
    return { drafts, extras: createComposerExtras(drafts), uploading, begun, later, places, recordings };
  },
};

export type Chat = ChatState & { client: ParleyClient; firstScreen: FirstScreen };

const ChatContext = createContext<Chat | undefined>(undefined);

export type ChatProviderProps = {
  client: ParleyClient;
  /** Stores the files of messages elsewhere than on the Parley server. */
  upload?: UploadFunction | undefined;
  children: ReactNode;
};

/** Gives a client to everything inside; whether it is connected does not matter. */
export function ChatProvider({ client, upload, children }: ChatProviderProps) {
  if (!client) throw new Error('ChatProvider needs a client: createClient({ apiKey, baseUrl })');
  const chat = useMemo(
    () => ({ ...client.feature(chatState), client, firstScreen: createFirstScreen() }),
    [client],
  );
  const stands = useReadable(chat.firstScreen.stands);
  useEffect(() => (stands ? preloadPopups() : undefined), [stands]);
  useEffect(() => chat.firstScreen.start(), [chat]);
  useLayoutEffect(() => {
    chat.uploading.upload = upload;
  }, [chat, upload]);
  useEffect(() => () => chat.uploading.stop?.(), [chat]);
  return (
    <ChatContext value={chat}>
      <TooltipGroup>
        <NoticeProvider>
          <DraftKeeper client={client} drafts={chat.drafts} firstScreen={chat.firstScreen} />
          {children}
        </NoticeProvider>
      </TooltipGroup>
    </ChatContext>
  );
}

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error('Parley hooks and components belong inside a ChatProvider');
  return chat;
}

/** The client of the nearest `ChatProvider`. */
export function useClient(): ParleyClient {
  return useChat().client;
}

/** The own user; undefined until the first connection and after the last. */
export function useMe(): OwnUser | undefined {
  return useReadable(useClient().me);
}
