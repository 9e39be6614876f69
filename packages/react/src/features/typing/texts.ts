import { defineTexts } from '../../i18n/catalogue.ts';

export const typingTexts = defineTexts('typing', {
  typingOne: '{name} is typing',
  typingTwo: '{first} and {second} are typing',
  typingMany: { one: '{count} person is typing', other: '{count} people are typing' },
});
