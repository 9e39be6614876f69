import { useMemo } from 'react';

const rowSelector = '[data-row]';

/**
 * A row draws its buttons only while it has the pointer or the focus, so the one that opened a dialog is gone when the dialog closes.
 * The focus then goes to the row, or to its neighbour where the row was deleted.
 */
export function useRowReturn() {
  return useMemo(() => {
    let near: HTMLElement[] = [];
    return {
      /** Called when a dialog is about to open, while the focus or the open menu shows which row it is about. */
      leave: () => {
        near = rowsNear(
          document.activeElement?.closest<HTMLElement>(rowSelector) ??
            document.querySelector<HTMLElement>(`${rowSelector}:has([aria-expanded="true"])`),
        );
      },
      back: () => near.find((row) => row.isConnected) ?? null,
    };
  }, []);
}

/** The row, those after it and those before it, nearest first. */
const rowsNear = (row: HTMLElement | null): HTMLElement[] => {
  const rows = [...(row?.closest('[role="feed"]')?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
  const at = row ? rows.indexOf(row) : 0;
  return [...rows.slice(at), ...rows.slice(0, at).reverse()];
};
