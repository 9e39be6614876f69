import { isMacLike } from './shortcuts.ts';

export type EarlyTyping = {
  /** Ends it and returns the letters. */
  take: () => string;
};

/** Keys that would act on what has the focus still: Enter would send the message in the composer. */
const acting = /^(Enter|Tab|Delete|Arrow.*)$/;

const isLetter = ({ key }: KeyboardEvent): boolean => [...key].length === 1;

/** Whether a key is held that makes a shortcut of another one. On a Mac, Option makes other letters: "@" on some keyboards. */
const isShortcut = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || (event.altKey && !(isLetter(event) && isMacLike(navigator.platform)));

/**
 * Keeps the letters that are typed before a field is there to take them: whoever knows the shortcut does not wait for it. With
 * `onEscape` nothing that is pressed meanwhile reaches the page, and Escape gives up. Without it only letters are kept from the page,
 * and none from a button: nothing else has the focus than that of an app that is late.
 */
export const keepTyping = (
  page: Pick<Document, 'addEventListener' | 'removeEventListener'>,
  onEscape?: () => void,
): EarlyTyping => {
  let typed = '';
  const onKey = (event: KeyboardEvent) => {
    if (isShortcut(event) || event.isComposing) return;
    if (!onEscape && event.target instanceof HTMLButtonElement) return;
    if (event.key === 'Backspace') typed = [...typed].slice(0, -1).join('');
    else if (isLetter(event) && (onEscape || typed + event.key !== ' ')) typed += event.key;
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
