import { icon } from '@parley/react';

/** A box with a lid. */
export const IconArchive = icon(
  <path d="M3.5 4.5h13v3h-13Zm1 3v7a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-7M8 10.5h4" />,
);

/** An eye with a line through it. */
export const IconHidden = icon(
  <path d="M8 5.3A7.6 7.6 0 0 1 10 5c4.8 0 7.5 5 7.5 5a13 13 0 0 1-2 2.6m-2.3 1.6A7 7 0 0 1 10 15c-4.8 0-7.5-5-7.5-5a13 13 0 0 1 3.2-3.7M8.3 8.6a2.2 2.2 0 0 0 3 3M3.5 3.5l13 13" />,
);
