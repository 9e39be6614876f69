import { createContext } from 'react';

/** The element that gets the focus when a dialog inside closes whose opener may be gone by then; without it the opener does. */
export const DialogReturn = createContext<(() => HTMLElement | null) | undefined>(undefined);
