import type { MessageInput } from '@parley/client';
import type { ScheduledMessage } from '@parley/client/scheduled-messages';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useFormat } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { fill, type RemindersTexts } from '../reminders/english.ts';
import styles from '../reminders/reminders.module.css';
import { WhenPicker } from '../reminders/when-picker.tsx';

export type ScheduledDialogProps = { one: ScheduledMessage; texts: RemindersTexts; onClose: () => void };

/** What was typed stays when the server refuses. */
function useChanging({ one, texts, onClose }: ScheduledDialogProps, typed: string) {
  const client = useClient();
  const scheduled = client.feature(scheduledMessages);
  const notices = useNotices();
  const format = useFormat();
  const tell = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>, title?: string) => {
    setBusy(true);
    try {
      await act();
      if (title !== undefined) notices.show({ title });
      onClose();
    } catch (error) {
      tell(error);
      setBusy(false);
    }
  };
  const change = (sendAt: Date) =>
    run(
      () => scheduled.change(one.id, { text: typed, sendAt }),
      fill(texts.scheduledFor, { when: `${format.day(sendAt)}, ${format.time(sendAt)}` }),
    );
  const sendNow = () =>
    run(async () => {
      await scheduled.change(one.id, { text: typed });
      await scheduled.delete(one.id);
      await client.messages.send(one.cid, { ...(one.message as MessageInput), text: typed });
    });
  return { isBusy, change, sendNow };
}

/** Changes what will be sent, and when. */
export function ScheduledDialog(props: ScheduledDialogProps) {
  const { one, texts, onClose } = props;
  const [typed, setTyped] = useState(one.message.text ?? '');
  const { isBusy, change, sendNow } = useChanging(props, typed);
  const sendAt = new Date(one.send_at);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.editTitle}
      footer={
        <>
          <Button disabled={isBusy} onClick={() => void sendNow()}>
            {texts.sendNow}
          </Button>
          {sendAt.getTime() > Date.now() && (
            <Button variant="primary" disabled={isBusy} onClick={() => void change(sendAt)}>
              {texts.save}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.dialog}>
        <label className={styles.label}>
          {texts.editText}
          <textarea
            dir="auto"
            className={styles.area}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <WhenPicker
          texts={texts}
          initial={sendAt.getTime() > Date.now() ? sendAt : undefined}
          confirm={texts.schedule}
          busy={isBusy}
          onPick={(at) => void change(at)}
        />
      </div>
    </Dialog>
  );
}
