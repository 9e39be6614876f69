import { defineTexts } from '../../i18n/catalogue.ts';

export const locationMenuTexts = defineTexts('locations', { shareLocation: 'Share location' });
