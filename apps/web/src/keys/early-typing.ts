export type EarlyTyping = {
  /** Ends it and returns the letters. */
  take: () => string;
};

/** Keys that would act on what has the focus still: Enter would send the message in the composer. */
const acting = /^(Enter|Tab|Delete|Arrow.*)$/;

/**
 * Keeps the letters that are typed before a field is there to take them: whoever knows the shortcut does not wait for it. With
 * `onEscape` nothing that is pressed meanwhile reaches the page, and Escape gives up. Without it only letters are kept from the page:
 * nothing has the focus that another key could act on, but the button of an app that is late.
 */
export const keepTyping = (
  page: Pick<Document, 'addEventListener' | 'removeEventListener'>,
  onEscape?: () => void,
): EarlyTyping => {
  let typed = '';
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isLetter = [...event.key].length === 1;
    if (event.key === 'Backspace') typed = [...typed].slice(0, -1).join('');
    else if (isLetter && (onEscape || typed + event.key !== ' ')) typed += event.key;
    else if (!onEscape) return;
    else if (event.key === 'Escape') onEscape();
    else if (!acting.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  page.addEventListener('keydown', onKey, { capture: true });
  return {
    take: () => {
      page.removeEventListener('keydown', onKey, { capture: true });
      return typed;
    },
  };
};
