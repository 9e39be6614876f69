import { defineTexts } from '../../i18n/catalogue.ts';

export const emojiTexts = defineTexts('reactions', {
  searchEmojis: 'Search emojis',
  noEmojis: 'No emoji by that name',
  emojiTone: 'Skin tone',
  emojiTone0: 'No skin tone',
  emojiTone1: 'Light skin tone',
  emojiTone2: 'Medium-light skin tone',
  emojiTone3: 'Medium skin tone',
  emojiTone4: 'Medium-dark skin tone',
  emojiTone5: 'Dark skin tone',
  emojiRecent: 'Recent',
  emojiPeople: 'Smileys and people',
  emojiNature: 'Animals and nature',
  emojiFood: 'Food and drink',
  emojiActivity: 'Activities',
  emojiTravel: 'Travel and places',
  emojiObjects: 'Objects',
  emojiSymbols: 'Symbols',
  emojiFlags: 'Flags',
});
