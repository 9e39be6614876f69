import type { FunctionComponent, ReactNode } from 'react';
import type { errorTexts } from './chat/error-texts.ts';
import type { mediaTexts } from './features/attachments/media-texts.ts';
import type { uploadTexts } from './features/attachments/upload-texts.ts';
import type { voiceButtonTexts } from './features/attachments/voice/button-texts.ts';
import type { voiceTexts } from './features/attachments/voice/texts.ts';
import type { lateChannelTexts } from './features/channels/late-texts.ts';
import type { channelTexts } from './features/channels/texts.ts';
import type { commandTexts } from './features/commands/texts.ts';
import type { completionTexts } from './features/composer/late-texts.ts';
import type { lateDraftTexts } from './features/drafts/late-texts.ts';
import type { draftTexts } from './features/drafts/texts.ts';
import type { previewTexts } from './features/link-previews/texts.ts';
import type { locationMenuTexts } from './features/locations/menu-texts.ts';
import type { locationTexts } from './features/locations/texts.ts';
import type { memberTexts } from './features/members/texts.ts';
import type { lateMessageTexts } from './features/messages/late-texts.ts';
import type { messageTexts } from './features/messages/texts.ts';
import type { pollMenuTexts } from './features/polls/menu-texts.ts';
import type { pollTexts } from './features/polls/texts.ts';
import type { emojiTexts } from './features/reactions/emoji-texts.ts';
import type { reactionTexts } from './features/reactions/texts.ts';
import type { lateReadTexts } from './features/reads/late-texts.ts';
import type { readTexts } from './features/reads/texts.ts';
import type { lateReminderTexts } from './features/reminders/late-texts.ts';
import type { reminderMarkTexts } from './features/reminders/mark-texts.ts';
import type { reminderTexts } from './features/reminders/texts.ts';
import type { lateScheduledTexts } from './features/scheduled-messages/late-texts.ts';
import type { scheduledTexts } from './features/scheduled-messages/texts.ts';
import type { searchTexts } from './features/search/texts.ts';
import type { taskTexts } from './features/tasks/texts.ts';
import type { inboxTexts } from './features/threads/inbox-texts.ts';
import type { lateThreadTexts } from './features/threads/late-texts.ts';
import type { threadTexts } from './features/threads/texts.ts';
import type { typingTexts } from './features/typing/texts.ts';
import type { lateUserTexts } from './features/users/late-texts.ts';
import type { userTexts } from './features/users/texts.ts';
import type { Catalogue, Translation } from './i18n/catalogue.ts';
import type { commonTexts } from './i18n/common-texts.ts';
import { AnyTextProvider } from './i18n/text-context.tsx';
import type { listTexts } from './list/texts.ts';
import type { markdownTexts } from './markdown/texts.ts';
import type { attachmentTexts } from './summary/texts.ts';
import type { connectionTexts } from './ui/connection-texts.ts';

/** The texts of a feature of which a part is loaded late. */
type Both<First extends Catalogue, Late extends Catalogue> = Catalogue<First['english'] & Late['english']>;

/** Every catalogue of the kit by its feature. Only types: the texts of a feature that is loaded late are loaded with it. */
type KitCatalogues = {
  common: typeof commonTexts;
  connection: typeof connectionTexts;
  errors: typeof errorTexts;
  users: Both<typeof userTexts, typeof lateUserTexts>;
  channels: Both<typeof channelTexts, typeof lateChannelTexts>;
  messages: Both<
    Both<typeof messageTexts, typeof lateMessageTexts>,
    Both<typeof listTexts, Both<typeof markdownTexts, typeof completionTexts>>
  >;
  commands: typeof commandTexts;
  members: typeof memberTexts;
  attachments: typeof attachmentTexts;
  media: typeof mediaTexts;
  uploads: typeof uploadTexts;
  voice: Both<typeof voiceButtonTexts, typeof voiceTexts>;
  linkPreviews: typeof previewTexts;
  threads: Both<typeof threadTexts, Both<typeof inboxTexts, typeof lateThreadTexts>>;
  reactions: Both<typeof reactionTexts, typeof emojiTexts>;
  typing: typeof typingTexts;
  reads: Both<typeof readTexts, typeof lateReadTexts>;
  drafts: Both<typeof draftTexts, typeof lateDraftTexts>;
  reminders: Both<typeof reminderTexts, Both<typeof reminderMarkTexts, typeof lateReminderTexts>>;
  scheduledMessages: Both<typeof scheduledTexts, typeof lateScheduledTexts>;
  locations: Both<typeof locationMenuTexts, typeof locationTexts>;
  search: typeof searchTexts;
  tasks: typeof taskTexts;
  polls: Both<typeof pollMenuTexts, typeof pollTexts>;
};

type TranslationsOf<Catalogues extends Record<string, Catalogue>> = {
  readonly [Feature in keyof Catalogues]?: Translation<Catalogues[Feature]['english']>;
};

/** The texts of the kit in another language, by feature and key. Those left out stay English. */
export type Translations = TranslationsOf<KitCatalogues>;

export type TextProviderProps = {
  /** BCP 47 tag: plural forms, lists, numbers and times are those of this language. English where it is left out. */
  language?: string | undefined;
  texts?: Translations | undefined;
  timeZone?: string | undefined;
  now?: (() => number) | undefined;
  children: ReactNode;
};

/** Gives the kit its language: `<TextProvider language="pl" texts={{ polls: { closed: 'Zamknięta' } }}>`. */
export const TextProvider: FunctionComponent<TextProviderProps> = AnyTextProvider;
