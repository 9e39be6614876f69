import { defineTexts } from '../../../i18n/catalogue.ts';

export const voiceButtonTexts = defineTexts('voice', { voiceMessage: 'Voice message' });
