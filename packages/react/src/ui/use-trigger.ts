import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  type SyntheticEvent,
  useDeferredValue,
  useRef,
  useState,
} from 'react';

/** The props of an element that may open a popup: it is given handlers and attributes. */
export type TriggerProps = {
  onClick?: (event: MouseEvent) => void;
  onPointerEnter?: (event: SyntheticEvent) => void;
  onFocus?: (event: SyntheticEvent) => void;
  [attribute: string]: unknown;
};

/** The props of a popup that has no trigger of its own. */
export type AnchoredPopup = {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean, details?: { event: Event; cancel: () => void }) => void;
  /** True when the last press came from a key, not from a pointer. */
  byKey: boolean;
};

export type Trigger = AnchoredPopup & {
  /** The given element, with its press handler and its ARIA attributes. */
  element: ReactElement;
  /** True once it was opened: until then there is no popup to draw. */
  used: boolean;
};

export type TriggerOptions = {
  trigger: ReactElement<TriggerProps>;
  kind: 'menu' | 'dialog';
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  preload: () => Promise<void>;
};

/** The button of a popup. It works before the popup's code is loaded, and its first touch loads it. */
export function useTrigger({ trigger, kind, open, onOpenChange, preload }: TriggerOptions): Trigger {
  const anchor = useRef<HTMLElement>(null);
  const [own, setOwn] = useState(false);
  const [used, setUsed] = useState(false);
  const [byKey, setByKey] = useState(false);
  const isOpen = open ?? own;
  if (isOpen && !used) setUsed(true);

  const change: AnchoredPopup['onOpenChange'] = (next, details) => {
    // A press on the button also counts as one outside the popup; the button itself answers it.
    if (!next && details && anchor.current?.contains(details.event.target as Node)) {
      if (details.event.type !== 'keydown') return details.cancel();
    }
    setOwn(next);
    onOpenChange?.(next);
  };
  const given = trigger.props;
  const preloadPopup = () => void preload().catch(() => {});
  const element = cloneElement(trigger, {
    ref: anchor,
    'aria-haspopup': kind,
    'aria-expanded': isOpen,
    'data-popup-open': isOpen ? '' : undefined,
    onPointerEnter: (event: SyntheticEvent) => {
      given.onPointerEnter?.(event);
      preloadPopup();
    },
    onFocus: (event: SyntheticEvent) => {
      given.onFocus?.(event);
      preloadPopup();
    },
    onClick: (event: MouseEvent) => {
      given.onClick?.(event);
      setByKey(event.detail === 0);
      change(!isOpen);
    },
  });
  // The first popup is drawn in small steps: its code has not run before, and would hold up a frame.
  return { anchor, element, used: useDeferredValue(used), byKey, open: isOpen, onOpenChange: change };
}
