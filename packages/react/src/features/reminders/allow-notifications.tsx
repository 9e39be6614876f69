import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { lateReminderTexts } from './late-texts.ts';
import styles from './reminders.module.css';

const permission = (): NotificationPermission | 'none' =>
  typeof Notification === 'undefined' ? 'none' : Notification.permission;

/** Asks the browser only when somebody presses it. */
export function AllowNotifications() {
  const text = useTexts(lateReminderTexts);
  const [now, setNow] = useState(permission);
  if (now === 'denied') return <p className={styles.hint}>{text('blocked')}</p>;
  if (now !== 'default') return null;
  const ask = () => void Notification.requestPermission().then(setNow, () => setNow('denied'));
  return (
    <div>
      <Button size="s" variant="quiet" onClick={ask}>
        {text('allow')}
      </Button>
    </div>
  );
}
