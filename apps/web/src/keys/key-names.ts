import type { Combo } from './shortcuts.ts';

const signs = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←' };
const macSigns = { ...signs, Enter: '↩', Escape: 'esc' };
const named = ['Enter', 'Escape', 'Home', 'End', 'PageUp', 'PageDown'] as const;

type NamedKey = 'Ctrl' | 'Alt' | 'Shift' | (typeof named)[number];

/** The keys of a combination as they are written on the keyboard. */
export const keyNames = (
  { key, mod, alt, shift }: Combo,
  isMac: boolean,
  text: (key: `key${NamedKey}`) => string,
): string[] => {
  const sign = new Map(Object.entries(isMac ? macSigns : signs)).get(key);
  const name = named.find((one) => one === key);
  return [
    ...(mod ? [isMac ? '⌘' : text('keyCtrl')] : []),
    ...(alt ? [isMac ? '⌥' : text('keyAlt')] : []),
    ...(shift ? [isMac ? '⇧' : text('keyShift')] : []),
    sign ?? (name ? text(`key${name}`) : key.toUpperCase()),
  ];
};
