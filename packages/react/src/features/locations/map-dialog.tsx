import type { SharedLocation } from '@parley/client/locations';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fill, type LocationsTexts } from './english.ts';
import { LazyMap } from './lazy-map.tsx';
import { placeWords } from './place-words.ts';

export type MapDialogProps = {
  place: SharedLocation;
  isLive: boolean;
  title: string;
  texts: LocationsTexts;
  onClose: () => void;
};

/** The place on a map that can be moved and zoomed. */
export function MapDialog({ place, isLive, title, texts, onClose }: MapDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const words = placeWords(place);
  const copy = async () => {
    await navigator.clipboard.writeText(words);
    setCopied(true);
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={title}
      description={words}
      footer={
        <>
          <Button onClick={() => void copy().catch(() => undefined)}>
            {isCopied ? texts.copied : texts.copy}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {texts.close}
          </Button>
        </>
      }
    >
      <LazyMap isOpen where={place} isLive={isLive} label={fill(texts.map, { place: words })} texts={texts} />
    </Dialog>
  );
}
