import { createElement, Fragment, type ReactNode } from 'react';

/** Children known by their place alone: for what is drawn from a text and changes only as a whole. */
export const inOrder = <T>(list: readonly T[], draw: (item: T) => ReactNode): ReactNode =>
  createElement(Fragment, null, ...list.map((item) => draw(item)));
