import { type FormEvent, useState } from 'react';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { lateReminderTexts } from './late-texts.ts';
import { fromLocalInput, suggestedTime, toLocalInput, whenChoices } from './when.ts';
import styles from './when-picker.module.css';

export type WhenPickerProps = {
  /** The first value of the field. */
  initial?: Date | undefined;
  confirm: string;
  busy?: boolean;
  onPick: (at: Date) => void;
};

/** A choice of suggested times, and a field for any other. */
export function WhenPicker({ initial, confirm, busy = false, onPick }: WhenPickerProps) {
  const text = useTexts(lateReminderTexts);
  const format = useFormat();
  const [now] = useState(() => new Date());
  const [typed, setTyped] = useState(() => toLocalInput(initial ?? suggestedTime(now)));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = fromLocalInput(typed);
    if (!at) return setError(text('noTime'));
    if (at.getTime() <= Date.now()) return setError(text('notInPast'));
    setError(undefined);
    onPick(at);
  };
  return (
    <div className={styles.picker}>
      <ul className={styles.choices}>
        {whenChoices(now).map(({ id, at }) => (
          <li key={id}>
            <button type="button" className={styles.choice} disabled={busy} onClick={() => onPick(at)}>
              {text(id)}
              <span className={styles.at}>
                {id === 'nextWeek' ? `${format.day(at)}, ${format.time(at)}` : format.time(at)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          type="datetime-local"
          label={text('dateTime')}
          value={typed}
          error={error}
          min={toLocalInput(now)}
          onChange={setTyped}
        />
        <Button submit variant="primary" busy={busy}>
          {confirm}
        </Button>
      </form>
    </div>
  );
}
