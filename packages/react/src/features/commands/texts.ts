import { defineTexts } from '../../i18n/catalogue.ts';

export const commandTexts = defineTexts('commands', {
  remindNeedsTime: 'Say when, for example: /remind in 20 minutes look at the build',
  remindPast: 'That time has passed. Choose a later one.',
  remindTooFar: "That's too far ahead. Choose an earlier time.",
  remindNeedsMessage: "There's no message here to remind you of yet.",
  remindSet: "You'll be reminded: {name}",
  commandUnknown: "There's no command /{name}. Put a space before it to send it as text.",
  commandNotAllowed: "You can't use /{name} here.",
  commandNeedsText: 'Write something after /{name}.',
  commandNeedsPerson: 'Choose a person from the list to /{name}.',
  commandInvited: 'You invited {name}.',
  commandTopic: 'The topic is now: {name}',
  commandTopicGone: 'The topic was removed.',
  tooManyMentions: 'You can mention up to {name} people in a message.',
});
