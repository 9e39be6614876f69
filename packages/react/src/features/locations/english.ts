/** The words of locations. They come with the first that is shown or shared. */
export const locationsEnglish = {
  title: 'Share location',
  once: 'Current location',
  onceHint: 'Where you are now, once',
  live15: 'Live for 15 minutes',
  live60: 'Live for 1 hour',
  live480: 'Live for 8 hours',
  liveHint: 'Others see you move until then, or until you stop.',
  how: 'How long',
  share: 'Share',
  locating: 'Finding where you are…',
  denied:
    'Your browser does not let this page know where you are. Allow it in the page’s settings, then try again.',
  unavailable: 'Where you are could not be found out. Try again, perhaps nearer to a window.',
  unsupported: 'This browser cannot tell where you are. It needs a page that was opened by https.',
  retry: 'Try again',
  location: 'Location',
  live: 'Live location',
  ended: 'Live location ended',
  until: 'Live until {time}',
  endedAt: 'Ended {time}',
  updated: 'Updated {time}',
  stop: 'Stop sharing',
  stopShort: 'Stop',
  openMap: 'Open the map: {place}',
  map: 'Map: {place}',
  noTiles: 'The map’s pictures could not be loaded. Here are the outlines.',
  copy: 'Copy coordinates',
  copied: 'Copied',
  close: 'Close',
  sharing: 'You share your live location in {name} until {time}',
  sharingSomewhere: 'You share your live location until {time}',
  elsewhere: 'from another device',
  stopIn: 'Stop sharing in {name}',
  paused: 'It does not move: {why}',
  whyDenied: 'this browser may not know where you are.',
  whyUnavailable: 'where you are could not be found out.',
  notStopped: 'It could not be stopped yet. This device sends nothing more, and stopping is tried again.',
};
export type LocationsTexts = typeof locationsEnglish;

export const fill = (phrase: string, values: Record<string, string>): string =>
  phrase.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
