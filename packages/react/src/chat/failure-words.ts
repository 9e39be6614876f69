import { ParleyError } from '@parley/client';
import type { TextOf } from '../i18n/text.ts';
import type { errorTexts } from './error-texts.ts';
import { refusalWords } from './refusal-words.ts';

/** The reason of a failure: the text of a refusal, or the message of any other error. */
export const failureWords = (error: unknown, text: TextOf<typeof errorTexts>): string => {
  if (error instanceof ParleyError) return refusalWords(error, text);
  return error instanceof Error ? error.message : '';
};
