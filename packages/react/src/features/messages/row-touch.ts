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
/** Parts of a message that are dragged themselves. */
const dragged = 'input, video, audio, [role="slider"]';

const buzz = () => void navigator.vibrate?.(10);

/** The release of the finger must not press the held element, nor one that has opened under it meanwhile. */
const swallowRelease = () => {
  const swallow = (event: MouseEvent) => {
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const lift = () => {
    removeEventListener('touchend', lift, true);
    removeEventListener('touchcancel', lift, true);
    setTimeout(() => removeEventListener('click', swallow, true), clickMs);
  };
  addEventListener('click', swallow, true);
  addEventListener('touchend', lift, true);
  addEventListener('touchcancel', lift, true);
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

const maySlide = ({ target, clientX }: PointerEvent): boolean =>
  clientX > edgePx &&
  clientX < innerWidth - edgePx &&
  !(target instanceof Element && target.closest(dragged));

/** Follows one touch from its beginning. A scroll of the list, which the browser reports as cancelled, ends it. */
export const followTouch = (row: HTMLElement, first: PointerEvent, { onHold, onReply }: RowTouch): void => {
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
