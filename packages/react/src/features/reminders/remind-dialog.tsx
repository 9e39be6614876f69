import { reminders as remindersFeature } from '@parley/client/reminders';
import { useState } from 'react';
import { useFeature } from '../../chat/client-provider.tsx';
import { useReadable } from '../../chat/use-readable.ts';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { MessageDialogProps } from '../messages/message-item-props.ts';
import { AllowNotifications } from './allow-notifications.tsx';
import { lateReminderTexts } from './late-texts.ts';
import styles from './reminders.module.css';
import { WhenPicker } from './when-picker.tsx';

export type RemindDialogProps = {
  messageId: string;
  onClose: () => void;
};

/** The same dialog, as rows of messages open it. */
export function MessageRemindDialog({ message, onClose }: MessageDialogProps) {
  return <RemindDialog messageId={message.id} onClose={onClose} />;
}

/** The dialog for the time of a reminder. The chosen time stays when the server refuses. */
export function RemindDialog({ messageId, onClose }: RemindDialogProps) {
  const text = useTexts(lateReminderTexts);
  const reminders = useFeature(remindersFeature);
  const existing = useReadable(reminders.all, (all) => all.get(messageId));
  const [note, setNote] = useState(existing?.note ?? '');
  const [isBusy, setBusy] = useState(false);
  const notices = useNotices();
  const format = useFormat();
  const showRefusal = useRefusal();
  const run = async (act: () => Promise<unknown>, title: string) => {
    setBusy(true);
    try {
      await act();
      notices.show({ title });
      onClose();
    } catch (error) {
      showRefusal(error);
      setBusy(false);
    }
  };
  const set = (at: Date | undefined) =>
    run(
      () => reminders.set(messageId, { remindAt: at, note: note.trim() || null }),
      at ? text('setFor', { when: `${format.day(at)}, ${format.time(at)}` }) : text('saved'),
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={existing ? text('changeTitle') : text('remindTitle')}
      footer={
        <>
          {existing && (
            <Button
              variant="danger"
              disabled={isBusy}
              onClick={() => void run(() => reminders.delete(messageId), text('removed'))}
            >
              {text('remove')}
            </Button>
          )}
          <Button disabled={isBusy} onClick={() => void set(undefined)}>
            {text('saveForLater')}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <TextField label={text('note')} value={note} maxLength={1000} onChange={setNote} />
        <WhenPicker
          initial={existing?.remind_at && !existing.notified_at ? new Date(existing.remind_at) : undefined}
          confirm={text('set')}
          busy={isBusy}
          onPick={(at) => void set(at)}
        />
        <AllowNotifications />
      </div>
    </Dialog>
  );
}
