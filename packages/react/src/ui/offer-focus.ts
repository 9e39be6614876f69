/**
 * Gives the focus to an element, unless somebody types elsewhere: in an open dialog, or in another field. A draft, a quote or
 * a file may come late or from another device of the same person. Only a new place takes the focus from a field as well.
 */
export const offerFocus = (element: HTMLElement | null | undefined, isNewPlace = false): void => {
  const active = document.activeElement;
  const dialog = active?.closest('[role="dialog"][data-open]');
  if (dialog && !dialog.contains(element ?? null)) return;
  if (!isNewPlace && active !== element && active?.matches('input, textarea')) return;
  element?.focus();
};
