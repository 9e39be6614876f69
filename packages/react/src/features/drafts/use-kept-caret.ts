import { type RefObject, useLayoutEffect } from 'react';
import { movedCaret } from './caret.ts';

/** Browsers put the caret at the end of a field whose text changes from outside: it goes back to where it was. */
export function useKeptCaret(field: RefObject<HTMLTextAreaElement | null>, value: string): void {
  // Read while rendering: typed text is in the field already, text from outside is not yet.
  const area = field.current;
  const isChanged = area !== null && area.value !== value && area.value !== '' && value !== '';
  const before = isChanged && { text: area.value, start: area.selectionStart, end: area.selectionEnd };
  useLayoutEffect(() => {
    if (!before || document.activeElement !== area) return;
    const { text, start, end } = before;
    area?.setSelectionRange(movedCaret(text, value, start), movedCaret(text, value, end));
  });
}
