import type { Coordinates } from '@parley/client/locations';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { cx } from '../../ui/cx.ts';
import { type DrawnMap, drawMap } from './leaflet-map.ts';
import styles from './location-map.module.css';
import { useMapSettings } from './map-settings.tsx';
import { locationTexts } from './texts.ts';

export type LocationMapProps = {
  where: Coordinates;
  isLive: boolean;
  /** True for a map that can be moved and zoomed; otherwise it is a picture. */
  isOpen?: boolean;
  label: string;
};

/** A map with a mark on it. It follows the mark. */
export function LocationMap({ where, isLive, isOpen = false, label }: LocationMapProps) {
  const text = useTexts(locationTexts);
  const { tileUrl, attribution } = useMapSettings();
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnMap>(undefined);
  const latest = useRef(where);
  const [hasFailed, setFailed] = useState(false);
  const [zoomIn, zoomOut] = [text('zoomIn'), text('zoomOut')];
  useEffect(() => {
    if (!element.current) return;
    const map = drawMap(element.current, {
      ...{ tileUrl, attribution, isOpen, isLive, where: latest.current },
      words: { zoomIn, zoomOut },
      onTilesFailed: () => setFailed(true),
    });
    drawn.current = map;
    return () => {
      drawn.current = undefined;
      map.remove();
    };
  }, [tileUrl, attribution, isOpen, isLive, zoomIn, zoomOut]);
  const { latitude, longitude } = where;
  useEffect(() => {
    latest.current = { latitude, longitude };
    drawn.current?.move({ latitude, longitude });
  }, [latitude, longitude]);
  return (
    <div
      className={cx(styles.frame, isOpen && styles.open)}
      data-map={hasFailed || !tileUrl ? 'drawn' : 'tiles'}
    >
      {/* Leaflet counts from the left, whatever the direction of writing. */}
      {isOpen ? (
        <section ref={element} dir="ltr" aria-label={label} className={styles.map} />
      ) : (
        <div ref={element} dir="ltr" role="img" aria-label={label} className={styles.map} />
      )}
      {hasFailed && isOpen && <p className={styles.note}>{text('noTiles')}</p>}
    </div>
  );
}
