import {
  cloneElement,
  createContext,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { Tip, TooltipPopupProps, TooltipSide } from './tooltip-popup.tsx';

export type { TooltipSide };

export type TooltipProps = { text: ReactNode; trigger: ReactElement<Watched>; side?: TooltipSide };

type Tips = { show: (tip: Tip, at: 'once' | 'soon') => void; hide: () => void };

const TipContext = createContext<Tips>({ show: () => {}, hide: () => {} });

type Watched = {
  onPointerEnter?: (event: PointerEvent) => void;
  onPointerLeave?: (event: PointerEvent) => void;
  onPointerDown?: (event: PointerEvent) => void;
  onFocus?: (event: FocusEvent) => void;
  onBlur?: (event: FocusEvent) => void;
};

/**
 * A text for sighted pointer and keyboard users; the trigger keeps its own accessible name. Costs a row of
 * buttons nothing until one is pointed at: the group draws the only one that shows.
 */
export function Tooltip({ text, trigger, side = 'top' }: TooltipProps) {
  const tips = useContext(TipContext);
  const given = trigger.props;
  const tip = (anchor: Element): Tip => ({ anchor, text, side });
  return cloneElement(trigger, {
    onPointerEnter: (event) => {
      given.onPointerEnter?.(event);
      if (event.pointerType === 'mouse') tips.show(tip(event.currentTarget), 'soon');
    },
    onPointerLeave: (event) => {
      given.onPointerLeave?.(event);
      tips.hide();
    },
    onPointerDown: (event) => {
      given.onPointerDown?.(event);
      tips.hide();
    },
    onFocus: (event) => {
      given.onFocus?.(event);
      if (event.target.matches(':focus-visible')) tips.show(tip(event.currentTarget), 'once');
    },
    onBlur: (event) => {
      given.onBlur?.(event);
      tips.hide();
    },
  });
}

export const TooltipPopup = lazyPart<TooltipPopupProps>(
  async () => (await import('./tooltip-popup.tsx')).TooltipPopup,
  // A tooltip that cannot be loaded is not missed: the user only pointed at a button.
  { Missing: () => null },
);

const delayMs = 450;
const followMs = 300;

export type TooltipGroupProps = { children: ReactNode };

/** Tooltips inside follow one another without delay once the first has shown. */
export function TooltipGroup({ children }: TooltipGroupProps) {
  const [tip, setTip] = useState<Tip>();
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hiddenAt = useRef(Number.NEGATIVE_INFINITY);
  const shown = useRef(false);
  const tips = useMemo<Tips>(() => {
    const draw = (next: Tip) => {
      // The name of a button whose popup is open would lie over the popup.
      if (next.anchor.ariaExpanded === 'true') return;
      shown.current = true;
      setTip(next);
      setOpen(true);
    };
    return {
      show: (next, at) => {
        clearTimeout(timer.current);
        const follows = performance.now() - hiddenAt.current < followMs;
        if (at === 'once' || follows) draw(next);
        else timer.current = setTimeout(draw, delayMs, next);
      },
      hide: () => {
        clearTimeout(timer.current);
        if (shown.current) hiddenAt.current = performance.now();
        shown.current = false;
        setOpen(false);
      },
    };
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TipContext value={tips}>
      {children}
      {tip && <TooltipPopup tip={tip} open={open} onLeave={tips.hide} />}
    </TipContext>
  );
}
