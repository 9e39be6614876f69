/** The elements that had the focus last, newest last. */
const most = 30;

/** A keyboard on the screen would cover what one came back to. */
const opensKeyboard = (element: HTMLElement): boolean =>
  element.matches('input, textarea') && matchMedia('(pointer: coarse)').matches;

const canTake = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled, [inert] *') &&
  element.checkVisibility({ visibilityProperty: true });

/**
 * Gives the focus back when the element that had it is gone: to the one that had it before, as far as it is still there, and
 * otherwise to the field or the list of the page. With the focus on nothing, the next key of somebody without a mouse would begin at
 * the top of the page. Returns the function to call when something may have closed, and its stop.
 */
export const createFocusFallback = (page: Document) => {
  let trail: HTMLElement[] = [];
  let byKey = false;
  const stop = new AbortController();
  const { signal } = stop;
  const give = (element: HTMLElement): boolean => {
    if (!canTake(element) || opensKeyboard(element)) return false;
    // The types of the platform do not know `focusVisible` yet.
    const how = { preventScroll: true, focusVisible: byKey };
    element.focus(how);
    return page.activeElement === element;
  };
  const isLost = () => page.activeElement === null || page.activeElement === page.body;
  const settle = () => {
    if (!isLost() || trail.length === 0 || !page.hasFocus()) return;
    if (trail.toReversed().some(give)) return;
    const places = page.querySelectorAll<HTMLElement>(
      'main textarea, [aria-current="page"], [role="feed"], main button, main a[href], nav a[href], nav button',
    );
    [...places].some(give);
  };
  page.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      trail = [...trail.filter((one) => one !== target && one.isConnected), target].slice(-most);
    },
    { signal },
  );
  page.addEventListener('focusout', ({ relatedTarget }) => relatedTarget === null && setTimeout(check), {
    signal,
  });
  page.addEventListener(
    'keydown',
    () => {
      byKey = true;
    },
    { signal, capture: true },
  );
  page.addEventListener(
    'pointerdown',
    () => {
      byKey = false;
    },
    { signal, capture: true },
  );
  /** A press beside everything takes the focus away on purpose: the element that had it is still there then. */
  const check = () => {
    const last = trail.at(-1);
    if (last && !canTake(last)) settle();
  };
  return { check, stop: () => stop.abort() };
};
