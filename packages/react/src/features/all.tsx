import type { ParleyClient } from '@parley/client';
import type { UploadFunction } from '@parley/client/attachments';
import type { ComponentType, ReactNode } from 'react';
import { ClientProvider } from '../chat/client-provider.tsx';
import { attachments } from './attachments/feature.tsx';
import { voice } from './attachments/voice/composer-voice.tsx';
import { channels } from './channels/feature.ts';
import { commands } from './commands/feature.ts';
import { type ComposerPart, ComposerParts } from './composer/composer-parts.ts';
import { composer } from './composer/feature.ts';
import { drafts } from './drafts/feature.ts';
import { linkPreviews } from './link-previews/feature.tsx';
import { locations } from './locations/feature.tsx';
import { mentions } from './mentions/feature.ts';
import { messages } from './messages/feature.tsx';
import { type MessagePart, MessageParts } from './messages/message-parts.ts';
import { polls } from './polls/feature.tsx';
import { presence } from './presence/feature.ts';
import { reactions } from './reactions/feature.ts';
import { readMarks, reads } from './reads/feature.tsx';
import { reminders } from './reminders/feature.tsx';
import { scheduledMessages } from './scheduled-messages/feature.tsx';
import { threads } from './threads/feature.tsx';
import { typing } from './typing/feature.ts';
import { users } from './users/feature.ts';

type Settings = {
  /** Stores the files of messages elsewhere than on the Parley server. */
  upload?: UploadFunction | undefined;
};

type KitFeature = {
  name: string;
  /** Runs while a provider is mounted; draws nothing. */
  Start?: ComponentType<Settings>;
};

/** The features of the kit in order: each imports only those above it. */
const features: readonly KitFeature[] = [
  users,
  presence,
  typing,
  drafts,
  channels,
  mentions,
  commands,
  reactions,
  messages,
  composer,
  threads,
  attachments,
  linkPreviews,
  polls,
  locations,
  reminders,
  scheduledMessages,
  reads,
];

/** The parts that a message shows besides its text, in the order of the screen. */
const messageParts: readonly MessagePart[] = [
  polls,
  locations,
  attachments,
  linkPreviews,
  threads,
  messages,
  reads,
  reminders,
  readMarks,
];

/** The parts that a composer offers besides its field, in the order of the screen. */
const composerParts: readonly ComposerPart[] = [
  attachments,
  voice,
  polls,
  locations,
  linkPreviews,
  scheduledMessages,
];

export type ChatProviderProps = Settings & { client: ParleyClient; children: ReactNode };

/** Gives a client to everything inside; whether it is connected does not matter. */
export function ChatProvider({ client, upload, children }: ChatProviderProps) {
  return (
    <ClientProvider client={client}>
      {features.map(({ name, Start }) => Start && <Start key={name} upload={upload} />)}
      <MessageParts value={messageParts}>
        <ComposerParts value={composerParts}>{children}</ComposerParts>
      </MessageParts>
    </ClientProvider>
  );
}
