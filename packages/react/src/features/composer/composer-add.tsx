import { useTexts } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconPlus } from '../../ui/icons.tsx';
import { Menu, type MenuAction } from '../../ui/menu.tsx';
import { messageTexts } from '../messages/texts.ts';

/** The menu beside the field, with everything that can be added to a message here. */
export function ComposerAdd({ entries }: { entries: readonly MenuAction[] }) {
  const text = useTexts(messageTexts);
  if (entries.length === 0) return null;
  return (
    <Menu
      side="top"
      align="start"
      actions={entries}
      trigger={
        <IconButton label={text('addToMessage')}>
          <IconPlus />
        </IconButton>
      }
    />
  );
}
