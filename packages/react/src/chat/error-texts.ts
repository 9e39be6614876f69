import type { ParleyError } from '@parley/client';
import { type Catalogue, defineTexts } from '../i18n/catalogue.ts';

const english = {
  refused: "That didn't work. Try again.",
  NotAllowed: "You can't do that here",
  NotFound: "It's no longer here",
  PayloadTooLarge: "It's too long. Shorten it.",
  RateLimited: 'Too much at once. Wait a moment.',
  CoolDown: { one: 'Slow mode: wait {count} second', other: 'Slow mode: wait {count} seconds' },
} as const;

type WithoutText = Exclude<ParleyError['name'], keyof typeof english>;

/** Texts for the refusals of the server, by the name of the error. A refusal without a text is shown in the words of the server, unless a product gives it one. */
export const errorTexts: Catalogue<typeof english & Readonly<Record<WithoutText, ''>>> = defineTexts(
  'errors',
  english as typeof english & Readonly<Record<WithoutText, ''>>,
);
