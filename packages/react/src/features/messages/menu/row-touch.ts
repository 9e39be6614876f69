/** The gestures of a finger on a message: resting opens its sheet, and a swipe towards the start of the line replies. */
import styles from './row-touch.module.css';

export type RowTouch = {
  onHold: () => void;
  /** Called when the finger lifts after a swipe; without it nothing slides. */
  onReply: (() => void) | undefined;
};

const holdMs = 420;
const slopPx = 8;
/** A swipe this long replies. */
const replyPx = 56;
const furthestPx = 72;
/** Swipes that begin at the edges of the screen belong to the browser. */
const edgePx = 24;
/** The time in which a browser turns the end of a touch into a click. */
const clickMs = 100;
/** Parts of a message that a finger drags or rests on for their own sake. */
const handled = 'input, textarea, [role="slider"]';
/** Parts whose controls are dragged. */
const dragged = 'video, audio';

const buzz = () => void navigator.vibrate?.(10);

/**
 * The release of the finger must not press the held element, nor one that has opened under it meanwhile. The end of a touch on an
 * element that is gone from the page does not fire here: then the pointer or the next press ends it, or no press would count any more.
 */
const swallowRelease = () => {
  const over = new AbortController();
  const options = { signal: over.signal, capture: true };
  const swallow = (event: MouseEvent) => {
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', swallow, options);
  addEventListener('pointerdown', () => over.abort(), options);
  for (const type of ['touchend', 'touchcancel', 'pointerup', 'pointercancel'])
    addEventListener(type, () => setTimeout(() => over.abort(), clickMs), options);
};

/** Slides the row after the finger, with an icon behind it. */
const createSlide = (row: HTMLElement, towards: number) => {
  const icon = document.createElement('span');
  icon.className = styles.icon ?? '';
  icon.ariaHidden = 'true';
  row.append(icon);
  row.dataset.sliding = '';
  let isFar = false;
  const follow = (px: number) => {
    if (px >= replyPx && !isFar) buzz();
    isFar = px >= replyPx;
    icon.toggleAttribute('data-far', isFar);
    icon.style.opacity = String(Math.min(1, px / replyPx));
    row.style.translate = `${towards * Math.min(px, furthestPx)}px`;
  };
  const release = () => {
    delete row.dataset.sliding;
    row.style.translate = '';
    icon.remove();
  };
  return { follow, release, isFar: () => isFar };
};

const isOn = ({ target }: PointerEvent, parts: string): boolean =>
  target instanceof Element && target.closest(parts) !== null;

const maySlide = (first: PointerEvent): boolean =>
  first.clientX > edgePx && first.clientX < innerWidth - edgePx && !isOn(first, dragged);

/** Follows one touch from its beginning. A scroll of the list, which the browser reports as cancelled, ends it. */
export const followTouch = (row: HTMLElement, first: PointerEvent, { onHold, onReply }: RowTouch): void => {
  if (isOn(first, handled)) return;
  const towards = getComputedStyle(row).direction === 'rtl' ? 1 : -1;
  const ending = new AbortController();
  const { signal } = ending;
  let slide: ReturnType<typeof createSlide> | undefined;
  let isHeld = false;
  const end = () => {
    ending.abort();
    clearTimeout(timer);
    slide?.release();
  };
  const timer = setTimeout(() => {
    isHeld = true;
    buzz();
    swallowRelease();
    getSelection()?.removeAllRanges();
    onHold();
  }, holdMs);
  const move = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (pointerId !== first.pointerId || isHeld) return;
    const along = (clientX - first.clientX) * towards;
    const across = Math.abs(clientY - first.clientY);
    if (Math.hypot(along, across) > slopPx) clearTimeout(timer);
    if (!slide && across > slopPx) return end();
    if (!slide && onReply && along > slopPx && along > 2 * across && maySlide(first))
      slide = createSlide(row, towards);
    slide?.follow(Math.max(0, along - slopPx));
  };
  const lift = ({ pointerId }: PointerEvent) => {
    if (pointerId !== first.pointerId) return;
    const isReply = slide?.isFar() ?? false;
    end();
    if (isReply) onReply?.();
  };
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', lift, { signal });
  addEventListener('pointercancel', end, { signal });
  // A second finger pinches.
  addEventListener('pointerdown', end, { signal });
  // The browser's own menu would open over ours at the end of the same press.
  addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
};
