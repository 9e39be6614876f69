export type ComposerKey = {
  key: string;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  keyCode: number;
  isComposing: boolean;
};

export type ComposerIntent = 'send' | 'cancel' | 'edit-last' | 'shortcut' | 'none';

export type ComposerSituation = { value: string; enterSends?: boolean };

/** The meaning of a key in the composer. Enter that ends a composition (IME) never sends. */
export function composerIntent(
  pressed: ComposerKey,
  { value, enterSends = true }: ComposerSituation,
): ComposerIntent {
  const { key, shiftKey, altKey, ctrlKey, metaKey, keyCode, isComposing } = pressed;
  // Safari ends the composition before the keydown and marks it only by the code 229.
  if (isComposing || keyCode === 229) return 'none';
  if (key === 'Escape') return 'cancel';
  if (key === 'ArrowUp') return value === '' && !shiftKey ? 'edit-last' : 'none';
  if (shiftKey || altKey) return 'none';
  const withControl = ctrlKey || metaKey;
  if (key === 'Enter') return enterSends || withControl ? 'send' : 'none';
  return withControl && /^[bie]$/i.test(key) ? 'shortcut' : 'none';
}
