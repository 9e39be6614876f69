import type { Coordinates } from '@parley/client/locations';

/** The address that opens a place in the maps app of a device: by `geo:` on Android, Apple's own on its devices, a web page elsewhere. */
export const mapsLink = (place: Coordinates, userAgent: string): string => {
  const at = `${place.latitude},${place.longitude}`;
  if (/Android/.test(userAgent)) return `geo:${at}?q=${at}`;
  if (/iPhone|iPad|Macintosh/.test(userAgent)) return `https://maps.apple.com/?q=${at}`;
  const { latitude, longitude } = place;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
};

/** The coordinates, for instance 52.52000, 13.40500: about a metre, and read by every map. */
export const placeWords = ({ latitude, longitude }: Coordinates): string =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
