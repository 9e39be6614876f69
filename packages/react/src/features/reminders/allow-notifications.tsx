import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { RemindersTexts } from './english.ts';
import styles from './reminders.module.css';

const permission = (): NotificationPermission | 'none' =>
  typeof Notification === 'undefined' ? 'none' : Notification.permission;

/** Asks the browser only when somebody presses it. */
export function AllowNotifications({ texts }: { texts: RemindersTexts }) {
  const [now, setNow] = useState(permission);
  if (now === 'denied') return <p className={styles.hint}>{texts.blocked}</p>;
  if (now !== 'default') return null;
  const ask = () => void Notification.requestPermission().then(setNow, () => setNow('denied'));
  return (
    <div>
      <Button size="s" variant="quiet" onClick={ask}>
        {texts.allow}
      </Button>
    </div>
  );
}
