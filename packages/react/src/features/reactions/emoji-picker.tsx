import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { EmojiPanelProps } from './emoji-panel.tsx';

// Loaded when somebody opens it: the names of all emojis are not needed to read a message.
/** All emojis. Belongs inside a popover or sheet. */
export const EmojiPicker = lazyPart<EmojiPanelProps>(
  async () => (await import('./emoji-panel.tsx')).EmojiPanel,
  { Waiting },
);

function Waiting() {
  return <Spinner label={useTexts(commonTexts)('loading')} />;
}
