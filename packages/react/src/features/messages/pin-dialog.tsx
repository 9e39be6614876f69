import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { lateMessageTexts } from './late-texts.ts';
import styles from './message-choices.module.css';

const hour = 3_600_000;
const ends = [
  { text: 'pinHour', ms: hour },
  { text: 'pinDay', ms: 24 * hour },
  { text: 'pinWeek', ms: 7 * 24 * hour },
  { text: 'pinMonth', ms: 30 * 24 * hour },
] as const;

export type PinDialogProps = { onCancel: () => void; onPin: (expires: string) => void };

/** Asks for how long a message stays pinned. */
export function PinDialog({ onCancel, onPin }: PinDialogProps) {
  const text = useTexts(lateMessageTexts);
  const [ms, setMs] = useState<number>(24 * hour);
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onCancel()}
      title={text('pinTitle')}
      footer={
        <>
          <Button onClick={onCancel}>{text('cancel')}</Button>
          <Button variant="primary" onClick={() => onPin(new Date(Date.now() + ms).toISOString())}>
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
