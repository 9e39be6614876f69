import type { ParleyError } from '@parley/client';
import type { TextOf } from '../i18n/text.ts';
import type { errorTexts } from './error-texts.ts';

/** The reason of a refusal in the language of the reader; in the words of the server where there is no text for it. */
export const refusalWords = (
  { name, message, details }: ParleyError,
  text: TextOf<typeof errorTexts>,
): string =>
  name === 'CoolDown' ? text(name, { count: Number(details?.[0]?.message ?? 1) }) : text(name) || message;
