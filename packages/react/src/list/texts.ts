import { defineTexts } from '../i18n/catalogue.ts';

export const listTexts = defineTexts('messages', { messages: 'Messages' });
