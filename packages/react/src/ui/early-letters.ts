import { type FocusEvent, type KeyboardEvent, useRef } from 'react';

/** The letters after one more key; keys that lead elsewhere end them. */
export const typedWith = (typed: string, key: string): string => {
  if (key === 'Backspace') return [...typed].slice(0, -1).join('');
  if ([...key].length !== 1) return key === 'Shift' ? typed : '';
  return typed === '' && key === ' ' ? '' : typed + key;
};

/**
 * Keeps the letters that are typed into a popup whose content still loads, and writes them into its field when that takes the focus:
 * a picker takes typing at once, also on a slow network. Returns the handlers of the popup.
 */
export function useEarlyLetters() {
  const typed = useRef('');
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const { key, target, currentTarget, nativeEvent } = event;
      if (target !== currentTarget || nativeEvent.isComposing) return;
      const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
      typed.current = isShortcut ? '' : typedWith(typed.current, key);
    },
    onPointerDown: () => {
      typed.current = '';
    },
    onFocus: ({ target }: FocusEvent) => {
      const letters = typed.current;
      typed.current = '';
      if (letters === '' || !(target instanceof HTMLInputElement)) return;
      if (target.value !== '' || !/^(text|search)$/.test(target.type)) return;
      target.setRangeText(letters, 0, 0, 'end');
      target.dispatchEvent(new Event('input', { bubbles: true }));
    },
  };
}
