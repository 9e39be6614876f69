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
import { MapsLink } from './maps-link.tsx';
import { locationTexts } from './texts.ts';
import { useIsLive, useMinutesSince } from './use-locations.ts';
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
  const mayStop = isLive && isOwn(message, me) && message.status === 'sent';
  const name = message.user ? selectUserName(message.user) : '';
  const kind =
    place.end_at !== undefined && !isLive ? text('ended') : text(isLive ? 'liveOf' : 'locationOf', { name });
  return (
    <section
      className={styles.place}
      aria-label={kind}
      data-location={message.id}
      data-live={isLive || undefined}
    >
      <button
        type="button"
        className={styles.picture}
        aria-label={text('openMap', { place: kind })}
        onClick={() => setOpen(true)}
      >
        <LazyMap where={place} isLive={isLive} label={text('map', { place: kind })} />
      </button>
      <div className={styles.line}>
        <div className={styles.words}>
          <strong dir="auto">{kind}</strong>
          <LocationTimes place={place} isLive={isLive} />
          <MapsLink place={place} className={styles.maps} />
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
      {isLive && <Age at={updated_at} />}
    </span>
  );
}

/** How long ago the location was updated last, counted on while it is shown. */
function Age({ at }: { at: string }) {
  const text = useTexts(locationTexts);
  const { locale } = useFormat();
  const minutes = useMinutesSince(at);
  const time = new Intl.RelativeTimeFormat(locale).format(-minutes, 'minute');
  return <> · {minutes < 1 ? text('updatedNow') : text('updated', { time })}</>;
}
