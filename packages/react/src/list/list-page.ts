import type { DrawnRow } from './list-machine.ts';

export const drawnRows = (element: HTMLElement): HTMLElement[] =>
  Array.from(element.querySelectorAll<HTMLElement>(':scope > [data-key]'));

/** Measures the rows, against the upper edge of the list. */
export const readRows = (element: HTMLElement): DrawnRow[] => {
  const line = element.getBoundingClientRect().top;
  return drawnRows(element).map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const isMessage = row.querySelector('[data-row]') !== null;
    return { key: row.dataset.key ?? '', top: top - line, bottom: bottom - line, isMessage };
  });
};
