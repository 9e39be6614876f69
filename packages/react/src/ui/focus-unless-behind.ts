/**
 * Gives the focus to an element, unless it stands behind an open dialog: a draft or a file that arrives late
 * must not take the focus from the field somebody types into.
 */
export const focusUnlessBehind = (element: HTMLElement | null | undefined): void => {
  const dialog = document.activeElement?.closest('[role="dialog"][data-open]');
  if (!dialog || dialog.contains(element ?? null)) element?.focus();
};
