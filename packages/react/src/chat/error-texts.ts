import type { ParleyError } from '@parley/client';
import { type Catalogue, defineTexts } from '../i18n/catalogue.ts';

const english = {
  refused: 'That did not work',
  NotAllowed: 'You may not do that here',
  NotFound: 'It is not here any more',
  PayloadTooLarge: 'It is too long',
  RateLimited: 'Too much at once. Try again in a moment',
  CoolDown: { one: 'Slow mode: {count} second to go', other: 'Slow mode: {count} seconds to go' },
} as const;

type WithoutText = Exclude<ParleyError['name'], keyof typeof english>;

/** Texts for the refusals of the server, by the name of the error. A refusal without a text is shown in the words of the server, unless a product gives it one. */
export const errorTexts: Catalogue<typeof english & Readonly<Record<WithoutText, ''>>> = defineTexts(
  'errors',
  english as typeof english & Readonly<Record<WithoutText, ''>>,
);
