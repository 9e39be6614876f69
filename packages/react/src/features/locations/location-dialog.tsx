import { type Coordinates, PositionError, type PositionTrouble } from '@parley/client/locations';
import { useCallback, useId, useState } from 'react';
import { useRestartable } from '../../chat/use-restartable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LazyMap } from './lazy-map.tsx';
import styles from './location-dialog.module.css';
import { locationTexts } from './texts.ts';
import { useLocations } from './use-locations.ts';

export type LocationDialogProps = {
  cid: string;
  /** The other fields of the message: its thread, its quote. */
  message?: { parent_id?: string; show_in_channel?: boolean; quoted_message_id?: string };
  onClose: () => void;
  onSent: () => void;
};

const minute = 60_000;
const choices = [
  { id: 'once', durationMs: undefined },
  { id: 'live15', durationMs: 15 * minute },
  { id: 'live60', durationMs: 60 * minute },
  { id: 'live480', durationMs: 480 * minute },
] as const;
type Choice = (typeof choices)[number]['id'];

type Found = { where?: Coordinates; trouble?: PositionTrouble };

/** Asks the browser for its position, and again on demand. */
function usePosition(): { found: Found; retry: () => void } {
  const { locate } = useLocations();
  const [found, setFound] = useState<Found>({});
  const ask = useCallback(() => {
    let isOver = false;
    const take = (next: Found) => !isOver && setFound(next);
    locate().then(
      (where) => take({ where }),
      (error) => take({ trouble: error instanceof PositionError ? error.trouble : 'unavailable' }),
    );
    return () => {
      isOver = true;
    };
  }, [locate]);
  const askAgain = useRestartable(ask);
  const retry = useCallback(() => {
    setFound({});
    askAgain();
  }, [askAgain]);
  return { found, retry };
}

/** The dialog in which the user shares their location: once, or live for a while. */
export function LocationDialog({ cid, message, onClose, onSent }: LocationDialogProps) {
  const text = useTexts(locationTexts);
  const locations = useLocations();
  const { found, retry } = usePosition();
  const [choice, setChoice] = useState<Choice>('once');
  const { where } = found;
  const share = () => {
    if (!where) return;
    const durationMs = choices.find(({ id }) => id === choice)?.durationMs;
    const options = { where, ...(durationMs && { durationMs }), ...(message && { message }) };
    // The message is shown at once; a refused one stays in the list, where its row shows the reason.
    locations.share(cid, options).catch(() => undefined);
    onSent();
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={text('title')}
      footer={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button variant="primary" disabled={!where} onClick={share}>
            {text('share')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <OwnPosition found={found} onRetry={retry} />
        <Choices choice={choice} onChange={setChoice} />
      </div>
    </Dialog>
  );
}

type OwnPositionProps = { found: Found; onRetry: () => void };

function OwnPosition({ found: { where, trouble }, onRetry }: OwnPositionProps) {
  const text = useTexts(locationTexts);
  if (trouble)
    return (
      <div role="alert" className={styles.trouble}>
        <p>{text(trouble)}</p>
        {trouble !== 'unsupported' && (
          <Button size="s" onClick={onRetry}>
            {text('retry')}
          </Button>
        )}
      </div>
    );
  if (!where)
    return (
      <div role="status" className={styles.waiting}>
        <Spinner size={20} />
        {text('locating')}
      </div>
    );
  return <LazyMap where={where} isLive={false} label={text('map', { place: text('yours') })} />;
}

type ChoicesProps = { choice: Choice; onChange: (choice: Choice) => void };

function Choices({ choice, onChange }: ChoicesProps) {
  const text = useTexts(locationTexts);
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{text('how')}</legend>
      {choices.map(({ id }) => (
        <label key={id} className={styles.choice}>
          <input type="radio" name={name} checked={choice === id} onChange={() => onChange(id)} />
          {text(id)}
        </label>
      ))}
      <p className={styles.hint}>{choice === 'once' ? text('onceHint') : text('liveHint')}</p>
    </fieldset>
  );
}
