import { defineTexts } from '../../i18n/catalogue.ts';

export const pollMenuTexts = defineTexts('polls', { createPoll: 'Create a poll' });
