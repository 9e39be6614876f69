import { createElement, Fragment, type ReactNode } from 'react';

/** Children with their index as key: for elements that are drawn from a text and change only as a whole. */
export const inOrder = <T>(list: readonly T[], draw: (item: T) => ReactNode): ReactNode =>
  createElement(Fragment, null, ...list.map((item) => draw(item)));
