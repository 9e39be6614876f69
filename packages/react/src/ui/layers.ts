/** The entry `@parley/react/layers`: for products in which Back closes a popup. */
import { createContext, useContext, useEffectEvent, useLayoutEffect } from 'react';

export type Layers = {
  /** Called when something opens over the page, with its close. Returns the function to call once it is closed. */
  open: (close: () => void) => () => void;
};

/** The layers of the product, as `<LayerProvider value={layers}>`. Without them a popup closes by Escape, a press outside and its buttons. */
export const LayerProvider = createContext<Layers | undefined>(undefined);

/** Counts something as a layer for as long as it is open: dialogs, sheets, menus, popovers and the lightbox of the kit do. */
export function useLayer(isOpen: boolean, close: () => void): void {
  const layers = useContext(LayerProvider);
  const closeNow = useEffectEvent(close);
  // Before it is painted: a user who sees it may go back at once.
  useLayoutEffect(() => (isOpen ? layers?.open(() => closeNow()) : undefined), [isOpen, layers]);
}
