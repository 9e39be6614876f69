import { createContext, useState } from 'react';
import type { AnchoredPopup } from './use-trigger.ts';

type Popup = Pick<AnchoredPopup, 'anchor' | 'open' | 'byKey'>;

/** True inside a popup that must not take the focus. */
export const LatePopup = createContext(false);

/** Whether the user has gone on to another element. A key was pressed on the button itself; a pointer leaves the focus where it is in some browsers. */
const hasMoved = ({ anchor, byKey }: Popup): boolean => {
  const { activeElement: active, body } = document;
  return byKey && active !== null && active !== body && !anchor.current?.contains(active);
};

/** True while a popup is open that came when the user had gone on to another element: it must not take the focus from there. */
export function useIsLate(popup: Popup): boolean {
  const { open } = popup;
  const [known, setKnown] = useState({ open: false, isLate: false });
  if (known.open === open) return known.isLate;
  // While it closes it stays what it was: its fields would take the focus once more.
  const next = { open, isLate: open ? hasMoved(popup) : known.isLate };
  setKnown(next);
  return next.isLate;
}
