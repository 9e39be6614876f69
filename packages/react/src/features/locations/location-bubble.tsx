import { isOwn, type VisibleMessage } from '@parley/client';
import type { SharedLocation } from '@parley/client/locations';
import { useState } from 'react';
import { useMe } from '../../chat/chat-provider.tsx';
import { useFormat, usePartTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { fill, type LocationsTexts, locationsEnglish } from './english.ts';
import { LazyMap } from './lazy-map.tsx';
import styles from './location-bubble.module.css';
import type { MapDialogProps } from './map-dialog.tsx';
import { placeWords } from './place-words.ts';
import { useIsLive } from './use-locations.ts';
import { useStopSharing } from './use-stop-sharing.ts';

const MapDialog = lazyPart<MapDialogProps>(async () => (await import('./map-dialog.tsx')).MapDialog);

export type LocationBubbleProps = { message: VisibleMessage; texts?: Partial<LocationsTexts> };

/** Where somebody is, or was when they stopped. */
export function LocationBubble({ message, texts: given }: LocationBubbleProps) {
  const { shared_location: place } = message;
  if (!place) return null;
  return <Placed place={place} message={message} given={given} />;
}

type PlacedProps = {
  place: SharedLocation;
  message: VisibleMessage;
  given: Partial<LocationsTexts> | undefined;
};

function Placed({ place, message, given }: PlacedProps) {
  const texts = usePartTexts('locations', locationsEnglish, given);
  const me = useMe();
  const isLive = useIsLive(place);
  const [isOpen, setOpen] = useState(false);
  const words = placeWords(place);
  const mayStop = isLive && isOwn(message, me) && message.status === 'sent';
  const kind = place.end_at === undefined ? texts.location : isLive ? texts.live : texts.ended;
  return (
    <section
      className={styles.place}
      aria-label={`${kind}: ${words}`}
      data-location={message.id}
      data-live={isLive || undefined}
    >
      <button
        type="button"
        className={styles.picture}
        aria-label={fill(texts.openMap, { place: words })}
        onClick={() => setOpen(true)}
      >
        <LazyMap where={place} isLive={isLive} label={fill(texts.map, { place: words })} texts={texts} />
      </button>
      <div className={styles.line}>
        <div className={styles.words}>
          <strong>{kind}</strong>
          <Told place={place} isLive={isLive} texts={texts} />
          <bdi className={styles.coordinates}>{words}</bdi>
        </div>
        {mayStop && <StopButton messageId={message.id} texts={texts} />}
      </div>
      {isOpen && <MapDialog {...{ place, isLive, texts, title: kind }} onClose={() => setOpen(false)} />}
    </section>
  );
}

function StopButton({ messageId, texts }: { messageId: string; texts: LocationsTexts }) {
  const { stop, isBusy } = useStopSharing(messageId, texts);
  return (
    <Button size="s" busy={isBusy} onClick={stop}>
      {texts.stop}
    </Button>
  );
}

type ToldProps = { place: SharedLocation; isLive: boolean; texts: LocationsTexts };

function Told({ place: { end_at, updated_at }, isLive, texts }: ToldProps) {
  const format = useFormat();
  if (end_at === undefined) return null;
  return (
    <span className={styles.told}>
      {fill(isLive ? texts.until : texts.endedAt, { time: format.time(end_at) })}
      {isLive && ` · ${fill(texts.updated, { time: format.time(updated_at) })}`}
    </span>
  );
}
