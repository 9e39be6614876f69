/** The entry `@parley/react/locations`: loaded when the first location is shown or shared. */
export { LazyMap as LocationMap } from './lazy-map.tsx';
export { LocationBubble, type LocationBubbleProps } from './location-bubble.tsx';
export { LocationDialog, type LocationDialogProps } from './location-dialog.tsx';
export type { LocationMapProps } from './location-map.tsx';
export { locationTexts } from './texts.ts';
export { useIsLive, useLocations } from './use-locations.ts';
