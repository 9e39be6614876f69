import type { ScheduledMessage } from '@parley/client/scheduled-messages';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';
import styles from '../reminders/reminders.module.css';
import { WhenPicker } from '../reminders/when-picker.tsx';
import { lateScheduledTexts } from './late-texts.ts';

export type ScheduledDialogProps = { one: ScheduledMessage; onClose: () => void };

/** Saves or sends a scheduled message. Its dialog stays open with the typed text when the server refuses. */
function useChanging({ one, onClose }: ScheduledDialogProps, typed: string) {
  const text = useTexts(lateScheduledTexts);
  const client = useClient();
  const scheduled = client.feature(scheduledMessages);
  const notices = useNotices();
  const format = useFormat();
  const showRefusal = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>, title?: string) => {
    setBusy(true);
    try {
      await act();
      if (title !== undefined) notices.show({ title });
      onClose();
    } catch (error) {
      showRefusal(error);
      setBusy(false);
    }
  };
  const change = (sendAt: Date) =>
    run(
      () => scheduled.change(one.id, { text: typed, sendAt }),
      text('scheduledFor', { when: `${format.day(sendAt)}, ${format.time(sendAt)}` }),
    );
  const sendNow = () =>
    run(async () => {
      await scheduled.change(one.id, { text: typed });
      await scheduled.delete(one.id);
      await client.messages.send(one.cid, { ...one.message, text: typed });
    });
  return { isBusy, change, sendNow };
}

/** The dialog that changes the text and the time of a scheduled message. */
export function ScheduledDialog(props: ScheduledDialogProps) {
  const text = useTexts(lateScheduledTexts);
  const { one, onClose } = props;
  const [typed, setTyped] = useState(one.message.text ?? '');
  const { isBusy, change, sendNow } = useChanging(props, typed);
  const sendAt = new Date(one.send_at);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={text('editTitle')}
      footer={
        <>
          <Button disabled={isBusy} onClick={() => void sendNow()}>
            {text('sendNow')}
          </Button>
          {sendAt.getTime() > Date.now() && (
            <Button variant="primary" disabled={isBusy} onClick={() => void change(sendAt)}>
              {text('save')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.dialog}>
        <label className={styles.label}>
          {text('editText')}
          <textarea
            dir="auto"
            className={styles.area}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <WhenPicker
          initial={sendAt.getTime() > Date.now() ? sendAt : undefined}
          confirm={text('schedule')}
          busy={isBusy}
          onPick={(at) => void change(at)}
        />
      </div>
    </Dialog>
  );
}
