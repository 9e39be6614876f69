import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { ActionList } from '../../ui/action-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconSmile } from '../../ui/icons.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import { messageTexts } from '../messages/texts.ts';
import { EmojiPicker } from '../reactions/emoji-picker.tsx';

export type AddSheetProps = {
  entries: readonly MenuAction[];
  onPickEmoji: (emoji: string) => void;
  onClose: () => void;
};

/** Everything that can be added to a message, and the emojis, for fingers. */
export function AddSheet({ entries, onPickEmoji, onClose }: AddSheetProps) {
  const text = useTexts(messageTexts);
  const [isPicking, setPicking] = useState(false);
  const emojis: MenuAction = {
    id: 'emojis',
    label: text('addEmoji'),
    icon: <IconSmile />,
    onSelect: () => setPicking(true),
  };
  const title = text(isPicking ? 'emojis' : 'addToMessage');
  return (
    <Dialog form="sheet" title={title} open onOpenChange={(open) => !open && onClose()}>
      {isPicking ? (
        <EmojiPicker
          tones
          onPick={(emoji) => {
            // The sheet covers the field, in which the emoji is to be seen.
            onClose();
            onPickEmoji(emoji);
          }}
        />
      ) : (
        <>
          <ActionList actions={[emojis]} />
          <ActionList actions={entries} onSelect={onClose} />
        </>
      )}
    </Dialog>
  );
}
