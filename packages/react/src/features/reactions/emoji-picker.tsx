import { lazy, Suspense } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { EmojiPanelProps } from './emoji-panel.tsx';

// Loaded when somebody opens it: the names of all emojis are not needed to read a message.
const EmojiPanel = lazy(async () => ({ default: (await import('./emoji-panel.tsx')).EmojiPanel }));

/** All emojis. Belongs inside a popover or sheet. */
export function EmojiPicker(props: EmojiPanelProps) {
  const text = useText();
  return (
    <Suspense fallback={<Spinner label={text('loading')} />}>
      <EmojiPanel {...props} />
    </Suspense>
  );
}
