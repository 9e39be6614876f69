import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

type Field = RefObject<HTMLTextAreaElement | null>;

/** The last action in the field before the listeners were loaded: the shortcut, if it was one, and the text after it. */
export type MissedInput = RefObject<{ value: string; event?: KeyboardEvent } | undefined>;

type Listeners = {
  missed: MissedInput;
  onLook: (area: HTMLTextAreaElement, isTyped: boolean) => void;
  onLeave: () => void;
  /** Returns true when the key was handled. */
  onKey: (event: KeyboardEvent, area: HTMLTextAreaElement) => boolean;
  onPaste: (pasted: string, area: HTMLTextAreaElement) => boolean;
};

/** Listens at the field itself, before the composer does; begins with what was typed or pressed while this was being loaded. */
export function useFieldListeners(field: Field, listeners: Listeners) {
  const latest = useRef(listeners);
  useLayoutEffect(() => {
    latest.current = listeners;
  });
  useEffect(() => {
    const area = field.current;
    if (area === null) return;
    const stop = new AbortController();
    const take = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const { signal } = stop;
    area.addEventListener('input', () => latest.current.onLook(area, true), { signal });
    for (const type of ['keyup', 'pointerup'])
      area.addEventListener(type, () => latest.current.onLook(area, false), { signal });
    area.addEventListener('blur', () => latest.current.onLeave(), { signal });
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.keyCode === 229) return;
      if (latest.current.onKey(event, area)) take(event);
    };
    area.addEventListener('keydown', onKey, { signal });
    const onPaste = (event: ClipboardEvent) => {
      if (latest.current.onPaste(event.clipboardData?.getData('text/plain') ?? '', area)) take(event);
    };
    area.addEventListener('paste', onPaste, { signal });
    // The field is read later: its text may be drawn only after this.
    queueMicrotask(() => {
      const { missed, ...listener } = latest.current;
      const { current } = missed;
      if (document.activeElement !== area || signal.aborted) return;
      missed.current = undefined;
      // A text that was sent or replaced meanwhile is another one.
      if (current?.value !== area.value) return;
      if (current.event) listener.onKey(current.event, area);
      else listener.onLook(area, true);
    });
    return () => stop.abort();
  }, [field]);
}

/** The field is a combobox while its list is open, and a plain text field otherwise. */
export function useComboBox(field: Field, open: { listId: string; optionId: string } | undefined) {
  const { listId, optionId: activeId } = open ?? {};
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null || listId === undefined || activeId === undefined) return;
    const attributes = {
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-haspopup': 'listbox',
      'aria-autocomplete': 'list',
      'aria-controls': listId,
      'aria-activedescendant': activeId,
    };
    for (const [name, value] of Object.entries(attributes)) area.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) area.removeAttribute(name);
    };
  }, [field, listId, activeId]);
}
