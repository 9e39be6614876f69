import { defineTexts } from '../i18n/catalogue.ts';

export const markdownTexts = defineTexts('messages', { copyCode: 'Copy code' });
