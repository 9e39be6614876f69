import { defineTexts } from '../../i18n/catalogue.ts';

export const scheduledTexts = defineTexts('scheduledMessages', { sendLater: 'Send later' });
