/** The entry `@parley/react/locations`: the parts of locations, and the line that stands while the own one is shared. */
export { LazyMap as LocationMap } from './lazy-map.tsx';
export { LocationBubble, type LocationBubbleProps } from './location-bubble.tsx';
export { LocationDialog, type LocationDialogProps } from './location-dialog.tsx';
export type { LocationMapProps } from './location-map.tsx';
export { SharingBanner } from './sharing-banner.tsx';
export { locationTexts } from './texts.ts';
export { useIsLive, useLocations } from './use-locations.ts';
