/**
 * The focus goes back to the opener of a popup, unless it has gone elsewhere: a user who types already goes on typing.
 * It is looked at once the popup is gone from the page: a dialog that opens in the same moment takes the focus
 * in between, and would lose it to the button behind it.
 */
export const backTo =
  (opener: () => Pick<HTMLElement, 'focus'> | null) =>
  (how: string): false => {
    queueMicrotask(() => {
      const { activeElement: active, body } = document;
      if (active !== null && active !== body) return;
      opener()?.focus({ preventScroll: true, focusVisible: how === 'keyboard' });
    });
    return false;
  };
