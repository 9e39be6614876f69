import { defineTexts } from '../../i18n/catalogue.ts';

export const reactionTexts = defineTexts('reactions', {
  reactWith: 'React with {emoji}',
  moreEmojis: 'More emojis',
  reactionCount: { one: '{emoji}, {count} reaction', other: '{emoji}, {count} reactions' },
  reactedBy: '{names} reacted with {emoji}',
  andOthers: { one: '{count} other', other: '{count} others' },
});
