import type { KeyboardEvent } from 'react';

const rowsOf = (list: HTMLElement): HTMLElement[] =>
  Array.from(list.querySelectorAll<HTMLElement>('[data-row]'));

const focus = (row: HTMLElement | undefined) => {
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
};

const seenRows = (list: HTMLElement): HTMLElement[] => {
  const { top, bottom } = list.getBoundingClientRect();
  return rowsOf(list).filter((row) => {
    const box = row.getBoundingClientRect();
    return box.bottom > top + 1 && box.top < bottom - 1;
  });
};

const nextRow = (list: HTMLElement, from: EventTarget, by: number): HTMLElement | undefined => {
  const rows = rowsOf(list);
  const at = from instanceof HTMLElement ? rows.indexOf(from) : -1;
  return at < 0 ? seenRows(list).at(by < 0 ? -1 : 0) : rows[at + by];
};

/**
 * From the list itself to the rows in view: up begins with the last, down with the first. Keys may come faster than
 * the list draws: rows that are not drawn yet are drawn for them.
 */
const step = (list: HTMLElement, from: EventTarget, by: number, draw: () => void): boolean => {
  let next = nextRow(list, from, by);
  if (next === undefined) {
    draw();
    next = nextRow(list, from, by);
  }
  focus(next);
  return next !== undefined;
};

const page = (list: HTMLElement, by: number, draw: () => void) => {
  list.scrollTop += by * list.clientHeight * 0.9;
  draw();
  seenRows(list)
    .at(by < 0 ? 0 : -1)
    ?.focus({ preventScroll: true });
};

/** Arrows go from message to message, Page Up and Down by the height of the view, Home and End to the edges. */
export const moveByKey = (event: KeyboardEvent<HTMLElement>, draw: () => void) => {
  const { target, currentTarget: list, key } = event;
  const isRow = target instanceof HTMLElement && target.hasAttribute('data-row');
  if ((!isRow && target !== list) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    if (!step(list, target, key === 'ArrowUp' ? -1 : 1, draw)) return;
  } else if (key === 'PageUp' || key === 'PageDown') {
    page(list, key === 'PageUp' ? -1 : 1, draw);
  } else if (key === 'Home') {
    list.scrollTop = 0;
    draw();
    rowsOf(list)[0]?.focus({ preventScroll: true });
  } else if (key === 'End') {
    list.scrollTop = list.scrollHeight;
    draw();
    rowsOf(list).at(-1)?.focus({ preventScroll: true });
  } else return;
  event.preventDefault();
};
