import type { SharedLocation } from '@parley/client/locations';
import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LazyMap } from './lazy-map.tsx';
import styles from './location-map.module.css';
import { MapsLink } from './maps-link.tsx';
import { placeWords } from './place-words.ts';
import { locationTexts } from './texts.ts';

export type MapDialogProps = {
  place: SharedLocation;
  isLive: boolean;
  title: string;
  onClose: () => void;
};

/** The place on a map that can be moved and zoomed. */
export function MapDialog({ place, isLive, title, onClose }: MapDialogProps) {
  const text = useTexts(locationTexts);
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  const words = placeWords(place);
  const copy = async () => {
    await navigator.clipboard.writeText(words);
    setOutcome('copied');
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={title}
      // From right to left the two numbers would change places.
      description={<bdi dir="ltr">{words}</bdi>}
      footer={
        <>
          <MapsLink place={place} className={styles.maps} />
          <Button onClick={() => void copy().catch(() => setOutcome('notCopied'))}>
            {text(outcome ?? 'copy')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {text('close')}
          </Button>
        </>
      }
    >
      <LazyMap isOpen where={place} isLive={isLive} label={text('map', { place: title })} />
    </Dialog>
  );
}
