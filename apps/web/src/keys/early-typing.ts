export type EarlyTyping = {
  /** Ends it and returns the letters. */
  take: () => string;
};

/** Keeps the letters that are typed before a field is there to take them: whoever knows the shortcut does not wait for it. */
export const keepTyping = (page: Document): EarlyTyping => {
  let typed = '';
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if ([...event.key].length === 1) typed += event.key;
    else return;
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
