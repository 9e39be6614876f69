import type { Coordinates } from '@parley/client/locations';

/** The coordinates, for instance 52.52000, 13.40500: about a metre, and read by every map. */
export const placeWords = ({ latitude, longitude }: Coordinates): string =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
