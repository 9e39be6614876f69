import { defineTexts } from '../../i18n/catalogue.ts';

export const commandTexts = defineTexts('commands', {
  remindNeedsTime: 'Say when, for instance: /remind in 20 minutes look at the build',
  remindPast: 'That time is over. Choose one that is still to come.',
  remindTooFar: 'That is too far ahead.',
  remindNeedsMessage: 'There is no message here to be reminded of yet.',
  remindSet: 'You will be reminded: {name}',
  commandUnknown: 'There is no command /{name}. Put a space before it to send it as text.',
  commandNotAllowed: 'You may not use /{name} here.',
  commandNeedsText: 'Write something after /{name}.',
  commandNeedsPerson: 'Choose from the list whom to /{name}.',
  commandInvited: 'You invited {name}.',
  commandTopic: 'The topic is now: {name}',
  commandTopicGone: 'There is no topic any more.',
  tooManyMentions: 'A message can mention at most {name} people.',
});
