import { icon } from '@parley/react';

/** An arrow to somewhere else. */
export const IconGoTo = icon(
  <path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm-3.2 7h6.2m-2.4-2.6L13.2 10l-2.6 2.6" />,
);
