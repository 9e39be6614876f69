import { reminders as remindersFeature } from '@parley/client/reminders';
import { useState } from 'react';
import { useFeature } from '../../chat/use-feature.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useFormat } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AllowNotifications } from './allow-notifications.tsx';
import { fill, type RemindersTexts, remindersEnglish } from './english.ts';
import styles from './reminders.module.css';
import { WhenPicker } from './when-picker.tsx';

export type RemindDialogProps = {
  messageId: string;
  onClose: () => void;
  texts?: Partial<RemindersTexts>;
};

/** When to be reminded of a message. What was chosen stays chosen when the server refuses. */
export function RemindDialog({ messageId, onClose, texts: given }: RemindDialogProps) {
  const texts = { ...remindersEnglish, ...given };
  const reminders = useFeature(remindersFeature);
  const known = useReadable(reminders.all, (all) => all.get(messageId));
  const [note, setNote] = useState(known?.note ?? '');
  const [isBusy, setBusy] = useState(false);
  const notices = useNotices();
  const format = useFormat();
  const tell = useRefusal();
  const run = async (act: () => Promise<unknown>, title: string) => {
    setBusy(true);
    try {
      await act();
      notices.show({ title });
      onClose();
    } catch (error) {
      tell(error);
      setBusy(false);
    }
  };
  const set = (at: Date | undefined) =>
    run(
      () => reminders.set(messageId, { remindAt: at, note: note.trim() || null }),
      at ? fill(texts.setFor, { when: `${format.day(at)}, ${format.time(at)}` }) : texts.saved,
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={known ? texts.changeTitle : texts.remindTitle}
      footer={
        <>
          {known && (
            <Button
              variant="danger"
              disabled={isBusy}
              onClick={() => void run(() => reminders.delete(messageId), texts.removed)}
            >
              {texts.remove}
            </Button>
          )}
          <Button disabled={isBusy} onClick={() => void set(undefined)}>
            {texts.saveForLater}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <TextField label={texts.note} value={note} maxLength={1000} onChange={setNote} />
        <WhenPicker
          texts={texts}
          initial={known?.remind_at && !known.notified_at ? new Date(known.remind_at) : undefined}
          confirm={texts.set}
          busy={isBusy}
          onPick={(at) => void set(at)}
        />
        <AllowNotifications texts={texts} />
      </div>
    </Dialog>
  );
}
