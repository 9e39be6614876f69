import type { Coordinates } from '@parley/client/locations';
import { useTexts } from '../../i18n/text-context.tsx';
import { mapsLink } from './place-words.ts';
import { locationTexts } from './texts.ts';

/** Opens a place in the maps app of the device. */
export function MapsLink({ place, className }: { place: Coordinates; className: string | undefined }) {
  const text = useTexts(locationTexts);
  return (
    <a
      className={className}
      href={mapsLink(place, navigator.userAgent)}
      target="_blank"
      rel="noopener noreferrer"
    >
      {text('openInMaps')}
    </a>
  );
}
