import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconPlus } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Menu } from '../../ui/menu.tsx';
import { messageTexts } from '../messages/texts.ts';
import type { AddSheetProps } from './add-sheet.tsx';

const AddSheet = lazyPart<AddSheetProps>(async () => (await import('./add-sheet.tsx')).AddSheet);

export type ComposerAddProps = Pick<AddSheetProps, 'entries' | 'onPickEmoji'> & {
  /** True for a sheet that also offers the emojis, in place of a menu. */
  isNarrow: boolean;
};

/** The menu beside the field, with everything that can be added to a message here. */
export function ComposerAdd({ entries, isNarrow, onPickEmoji }: ComposerAddProps) {
  const text = useTexts(messageTexts);
  const [isOpen, setOpen] = useState(false);
  const button = (
    <IconButton label={text('addToMessage')}>
      <IconPlus />
    </IconButton>
  );
  if (isNarrow)
    return (
      <>
        <IconButton label={text('addToMessage')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconPlus />
        </IconButton>
        {isOpen && <AddSheet {...{ entries, onPickEmoji }} onClose={() => setOpen(false)} />}
      </>
    );
  if (entries.length === 0) return null;
  return <Menu side="top" align="start" actions={entries} trigger={button} />;
}
