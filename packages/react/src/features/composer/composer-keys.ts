export type ComposerKey = {
  key: string;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  keyCode: number;
  isComposing: boolean;
};

export type ComposerIntent = 'send' | 'cancel' | 'edit-last' | 'none';

export type ComposerSituation = { empty: boolean; enterSends: boolean };

/** The meaning of a key in the composer. Enter that ends a composition (IME) never sends. */
export function composerIntent(event: ComposerKey, { empty, enterSends }: ComposerSituation): ComposerIntent {
  // Safari ends the composition before the keydown and marks it only by the code 229.
  if (event.isComposing || event.keyCode === 229) return 'none';
  if (event.key === 'Escape') return 'cancel';
  if (event.key === 'ArrowUp') return empty && !event.shiftKey ? 'edit-last' : 'none';
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return 'none';
  return enterSends || event.ctrlKey || event.metaKey ? 'send' : 'none';
}
