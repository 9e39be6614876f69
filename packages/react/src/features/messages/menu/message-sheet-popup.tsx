import { useTexts } from '../../../i18n/text-context.tsx';
import { ActionList } from '../../../ui/action-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ReactionPicker } from '../../reactions/reaction-picker.tsx';
import { messageTexts } from '../texts.ts';
import { drawActions, type MessageHandlers } from './message-actions.tsx';
import styles from './message-sheet.module.css';

export type MessageSheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  handlers: MessageHandlers;
  picked: readonly string[];
};

export function MessageSheetPopup({ open, onOpenChange, handlers, picked }: MessageSheetProps) {
  const text = useTexts(messageTexts);
  const { onReact } = handlers;
  const close = () => onOpenChange(false);
  return (
    <Dialog form="sheet" title={text('messageActions')} open={open} onOpenChange={onOpenChange}>
      {onReact !== undefined && (
        <div className={styles.reactions}>
          <ReactionPicker
            large
            picked={picked}
            onPick={(emoji) => {
              close();
              onReact(emoji);
            }}
          />
        </div>
      )}
      {drawActions(handlers, text, (actions) => (
        <ActionList actions={actions} onSelect={close} />
      ))}
    </Dialog>
  );
}
