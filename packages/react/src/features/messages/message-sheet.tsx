import { useTexts } from '../../i18n/text-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReactionPicker } from '../reactions/reaction-picker.tsx';
import { type MessageHandlers, messageActions } from './message-actions.tsx';
import styles from './message-sheet.module.css';
import { messageTexts } from './texts.ts';

export type MessageSheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  handlers: MessageHandlers;
  picked: readonly string[];
};

/** The toolbar and menu of a message for fingers: opened by a long press. */
export function MessageSheet({ open, onOpenChange, handlers, picked }: MessageSheetProps) {
  const text = useTexts(messageTexts);
  const { onReact } = handlers;
  const close = (then: () => void) => () => {
    onOpenChange(false);
    then();
  };
  return (
    <Dialog form="sheet" title={text('messageActions')} open={open} onOpenChange={onOpenChange}>
      {onReact !== undefined && (
        <div className={styles.reactions}>
          <ReactionPicker large picked={picked} onPick={(emoji) => close(() => onReact(emoji))()} />
        </div>
      )}
      <ul className={styles.actions}>
        {messageActions(handlers, text).map((action) => (
          <li key={action.id}>
            <button
              type="button"
              className={styles.action}
              data-danger={action.danger || undefined}
              disabled={action.disabled}
              onClick={close(action.onSelect)}
            >
              {action.icon}
              {action.label}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
