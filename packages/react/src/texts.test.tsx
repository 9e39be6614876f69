import { createClient } from '@parley/client';
import type { Poll } from '@parley/client/polls';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ChatProvider } from './features/all.tsx';
import { voiceButtonTexts } from './features/attachments/voice/button-texts.ts';
import { voiceTexts } from './features/attachments/voice/texts.ts';
import { lateChannelTexts } from './features/channels/late-texts.ts';
import { channelTexts } from './features/channels/texts.ts';
import { lateDraftTexts } from './features/drafts/late-texts.ts';
import { draftTexts } from './features/drafts/texts.ts';
import { locationMenuTexts } from './features/locations/menu-texts.ts';
import { locationTexts } from './features/locations/texts.ts';
import { MembersPanel } from './features/members/members-panel.tsx';
import { lateMessageTexts } from './features/messages/late-texts.ts';
import { messageTexts } from './features/messages/texts.ts';
import { pollMenuTexts } from './features/polls/menu-texts.ts';
import { PollBubble } from './features/polls/poll-bubble.tsx';
import { pollTexts } from './features/polls/texts.ts';
import { emojiTexts } from './features/reactions/emoji-texts.ts';
import { reactionTexts } from './features/reactions/texts.ts';
import { lateReadTexts } from './features/reads/late-texts.ts';
import { ReadMarks } from './features/reads/read-marks.tsx';
import { readTexts } from './features/reads/texts.ts';
import { lateReminderTexts } from './features/reminders/late-texts.ts';
import { RemindersScreen } from './features/reminders/reminders-screen.tsx';
import { reminderTexts } from './features/reminders/texts.ts';
import { DeleteChannelsScreen } from './features/tasks/delete-channels-screen.tsx';
import { taskTexts } from './features/tasks/texts.ts';
import { lateThreadTexts } from './features/threads/late-texts.ts';
import { threadTexts } from './features/threads/texts.ts';
import { lateUserTexts } from './features/users/late-texts.ts';
import { userTexts } from './features/users/texts.ts';
import type { Catalogue } from './i18n/catalogue.ts';
import { useTexts } from './i18n/text-context.tsx';
import { aMessage } from './testing/records.ts';
import { TextProvider, type Translations } from './texts.ts';

const polish: Translations = {
  channels: {
    memberCount: { one: '{count} osoba', few: '{count} osoby', many: '{count} osób', other: '{count} osoby' },
  },
  polls: {
    poll: 'Ankieta',
    votes: { one: '{count} głos', few: '{count} głosy', many: '{count} głosów', other: '{count} głosu' },
  },
  reminders: {
    reminders: 'Przypomnienia',
    dueMany: {
      one: '{count} przypomnienie',
      few: '{count} przypomnienia',
      many: '{count} przypomnień',
      other: '{count} przypomnienia',
    },
  },
  reads: { delivered: 'Dostarczono', others: { few: 'i {count} inne', other: 'i {count} innych' } },
  members: { searchMembers: 'Szukaj osób' },
  tasks: {
    title: 'Usuń rozmowy',
    deleted: {
      one: 'Usunięto {count} rozmowę',
      few: 'Usunięto {count} rozmowy',
      other: 'Usunięto {count} rozmów',
    },
  },
};

const client = createClient({ apiKey: 'key', baseUrl: 'https://chat.example.com/api' });

const inPolish = (part: ReactNode): string =>
  renderToStaticMarkup(
    <TextProvider language="pl" texts={polish}>
      <ChatProvider client={client}>{part}</ChatProvider>
    </TextProvider>,
  );

const poll = {
  id: 'p',
  name: 'Kawa?',
  options: [{ id: 'a', text: 'Tak' }],
  vote_count: 5,
  answers_count: 0,
  vote_counts_by_option: { a: 3 },
  latest_votes_by_option: {},
  own_votes: [],
} as unknown as Poll;
const message = aMessage({ cid: 'team:general', poll_id: 'p', poll });

test.each<[string, ReactNode, string[]]>([
  ['polls', <PollBubble key="p" message={message} />, ['Ankieta: Kawa?', 'Tak, 3 głosy', '5 głosów']],
  ['reminders', <RemindersScreen key="r" onOpen={() => {}} />, ['Przypomnienia']],
  ['reads', <ReadMarks key="s" state="delivered" />, ['Dostarczono']],
  ['members', <MembersPanel key="m" cid="team:general" onClose={() => {}} />, ['0 osób', 'Szukaj osób']],
  ['tasks', <DeleteChannelsScreen key="t" />, ['Usuń rozmowy']],
])('W1 a product replaces the texts of %s through one provider', (_, part, expected) => {
  const shown = inPolish(part);

  for (const text of expected) expect(shown).toContain(text);
});

test('W1 each count has the plural form of the language, and texts that are left out stay English', () => {
  const Probe = () => {
    const reminders = useTexts(lateReminderTexts);
    const reads = useTexts(lateReadTexts);
    const tasks = useTexts(taskTexts);
    return [
      reminders('dueMany', { count: 22 }),
      reads('others', { count: 5 }),
      tasks('deleted', { count: 4 }),
      tasks('failed'),
      tasks('cancel'),
    ].join();
  };

  expect(renderToStaticMarkup(<Probe />)).toBe(
    '22 reminders are due,and 5 more,4 conversations deleted,Couldn&#x27;t delete all of them,Cancel',
  );
  expect(inPolish(<Probe />)).toContain(
    '22 przypomnienia,i 5 innych,Usunięto 4 rozmowy,Couldn&#x27;t delete all of them,Cancel',
  );
});

test('W1 a wrong key, a missing placeholder and missing values do not compile', () => {
  const wrong: Translations[] = [
    // @ts-expect-error -- no such feature
    { pols: {} },
    // @ts-expect-error -- no such text
    { polls: { pol: 'Ankieta' } },
    // @ts-expect-error -- {time} is missing
    { polls: { ends: 'Kończy się' } },
    // @ts-expect-error -- {count} is missing in the form that stands for all others
    { polls: { votes: { one: 'głos', other: 'głosy' } } },
    // @ts-expect-error -- a text without a count has no plural forms
    { polls: { poll: { one: 'Ankieta', other: 'Ankiety' } } },
  ];
  const Probe = () => {
    const text = useTexts(pollTexts);
    return [
      // @ts-expect-error -- no such key
      text('vote'),
      // @ts-expect-error -- {count} needs a value
      text('votes'),
      // @ts-expect-error -- {time} is not {when}
      text('ends', { when: 'now' }),
      // @ts-expect-error -- a count is a number
      text('votes', { count: '3' }),
    ].join();
  };

  expect(wrong).toHaveLength(5);
  expect(renderToStaticMarkup(<Probe />)).toContain('Ends {time}');
});

test.each([
  [channelTexts, lateChannelTexts],
  [draftTexts, lateDraftTexts],
  [messageTexts, lateMessageTexts],
  [reactionTexts, emojiTexts],
  [readTexts, lateReadTexts],
  [reminderTexts, lateReminderTexts],
  [threadTexts, lateThreadTexts],
  [pollMenuTexts, pollTexts],
  [locationMenuTexts, locationTexts],
  [voiceButtonTexts, voiceTexts],
  [userTexts, lateUserTexts],
] as [Catalogue, Catalogue][])(
  'W1 the parts of a feature give a key that they share one text (%#)',
  (first, late) => {
    const shared = Object.keys(late.english).filter((key) => key in first.english);

    expect(late.feature).toBe(first.feature);
    for (const key of shared) expect(late.english[key]).toEqual(first.english[key]);
  },
);
