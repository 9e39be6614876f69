import { useState } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { useRefusal } from '../../../chat/use-refusal.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { lateMessageTexts } from '../late-texts.ts';
import type { MessageDialogProps } from '../message-item-props.ts';
import styles from './message-choices.module.css';

const hour = 3_600_000;
const ends = [
  { text: 'pinHour', ms: hour },
  { text: 'pinDay', ms: 24 * hour },
  { text: 'pinWeek', ms: 7 * 24 * hour },
  { text: 'pinMonth', ms: 30 * 24 * hour },
] as const;

/** Asks for how long a message stays pinned. */
export function PinDialog({ message, onClose }: MessageDialogProps) {
  const text = useTexts(lateMessageTexts);
  const { messages } = useClient();
  const showRefusal = useRefusal();
  const [ms, setMs] = useState<number>(24 * hour);
  const pin = () => {
    messages.pin(message, new Date(Date.now() + ms).toISOString()).catch(showRefusal);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={text('pinTitle')}
      footer={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button variant="primary" onClick={pin}>
            {text('pin')}
          </Button>
        </>
      }
    >
      <div role="radiogroup" aria-label={text('pinTitle')}>
        {ends.map((end) => (
          <label key={end.ms} className={styles.choice}>
            <input type="radio" name="pin-end" checked={ms === end.ms} onChange={() => setMs(end.ms)} />
            <span>{text(end.text)}</span>
          </label>
        ))}
      </div>
    </Dialog>
  );
}
