import { useEffect, useEffectEvent } from 'react';
import { layerHistory } from '../app/history.ts';
import { type AppShortcutId, isMacLike, isStep, shortcutOf } from './shortcuts.ts';
import { areSingleKeysOn } from './single-keys.ts';

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'));

/** Under a dialog or a menu only the key that opened the switcher works, and closes it. */
const isFree = (id: AppShortcutId): boolean => id === 'switcher' || !layerHistory.isCovered();

/** Acts on the shortcuts of the app. A handler that returns false leaves the key to the browser. */
export function useShortcuts(handlers: Readonly<Record<AppShortcutId, () => unknown>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = isTextField(event.target) || !areSingleKeysOn(localStorage);
    const id = shortcutOf(event, isTyping, isMacLike(navigator.platform));
    if (id === undefined || !isFree(id)) return;
    const isHeld = event.repeat && !isStep(id);
    if (!isHeld && handlers[id]() === false) return;
    event.preventDefault();
    // The field that has the focus has a meaning of its own for an arrow.
    event.stopPropagation();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
