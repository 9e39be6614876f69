import type { TextOf } from '../../i18n/text.ts';
import { pollTexts } from './texts.ts';

const keys = ['questionMissing', 'optionEmpty', 'optionExists', 'maxVotesWrong'] as const;

/** A notice of the client in the language of the reader. One without a text of its own is shown as it is. */
export const noticeText = (
  notice: string | undefined,
  text: TextOf<typeof pollTexts>,
): string | undefined => {
  const key = keys.find((each) => pollTexts.english[each] === notice);
  return key === undefined ? notice : text(key);
};
