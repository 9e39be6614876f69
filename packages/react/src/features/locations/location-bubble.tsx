import { isOwn, selectUserName, type VisibleMessage } from '@parley/client';
import type { SharedLocation } from '@parley/client/locations';
import { useState } from 'react';
import { useMe } from '../../chat/client-provider.tsx';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { LazyMap } from './lazy-map.tsx';
import styles from './location-bubble.module.css';
import type { MapDialogProps } from './map-dialog.tsx';
import { mapsLink, placeWords } from './place-words.ts';
import { locationTexts } from './texts.ts';
import { useIsLive } from './use-locations.ts';
import { useStopSharing } from './use-stop-sharing.ts';

const MapDialog = lazyPart<MapDialogProps>(async () => (await import('./map-dialog.tsx')).MapDialog);

export type LocationBubbleProps = { message: VisibleMessage };

/** The shared location of a message: where its author is, or was when they stopped. */
export function LocationBubble({ message }: LocationBubbleProps) {
  const { shared_location: place } = message;
  if (!place) return null;
  return <Place place={place} message={message} />;
}

type PlaceProps = {
  place: SharedLocation;
  message: VisibleMessage;
};

function Place({ place, message }: PlaceProps) {
  const text = useTexts(locationTexts);
  const me = useMe();
  const isLive = useIsLive(place);
  const [isOpen, setOpen] = useState(false);
  const words = placeWords(place);
  const mayStop = isLive && isOwn(message, me) && message.status === 'sent';
  const name = message.user ? selectUserName(message.user) : '';
  const kind =
    place.end_at === undefined ? text('location') : isLive ? text('liveOf', { name }) : text('ended');
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
        aria-label={text('openMap', { place: words })}
        onClick={() => setOpen(true)}
      >
        <LazyMap where={place} isLive={isLive} label={text('map', { place: words })} />
      </button>
      <div className={styles.line}>
        <div className={styles.words}>
          <strong>{kind}</strong>
          <LocationTimes place={place} isLive={isLive} />
          <bdi className={styles.coordinates}>{words}</bdi>
          <a
            className={styles.maps}
            href={mapsLink(place, navigator.userAgent)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {text('openInMaps')}
          </a>
        </div>
        {mayStop && <StopButton messageId={message.id} />}
      </div>
      {isOpen && <MapDialog {...{ place, isLive, title: kind }} onClose={() => setOpen(false)} />}
    </section>
  );
}

function StopButton({ messageId }: { messageId: string }) {
  const text = useTexts(locationTexts);
  const { stop, isBusy } = useStopSharing(messageId);
  return (
    <Button size="s" busy={isBusy} onClick={stop}>
      {text('stop')}
    </Button>
  );
}

type LocationTimesProps = { place: SharedLocation; isLive: boolean };

function LocationTimes({ place: { end_at, updated_at }, isLive }: LocationTimesProps) {
  const text = useTexts(locationTexts);
  const format = useFormat();
  if (end_at === undefined) return null;
  return (
    <span className={styles.times}>
      {text(isLive ? 'until' : 'endedAt', { time: format.time(end_at) })}
      {isLive && ` · ${text('updated', { time: format.time(updated_at) })}`}
    </span>
  );
}
