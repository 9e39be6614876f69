import { createContext } from 'react';

/** Where the focus goes when a dialog in here closes whose opener may be gone by then; nothing leaves it to the opener. */
export const DialogReturn = createContext<(() => HTMLElement | null) | undefined>(undefined);
