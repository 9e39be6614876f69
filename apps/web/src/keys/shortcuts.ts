/** A key with its modifiers. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type Combo = {
  key: string;
  /** The place on the keyboard, where Alt makes another letter of the key. */
  code?: string;
  mod?: true;
  alt?: true;
  shift?: true;
};

export type ShortcutGroup = 'getAround' | 'messages' | 'writing';

type Row = {
  group: ShortcutGroup;
  combos: readonly Combo[];
  /** True for keys that a part of the kit handles where it has the focus. */
  inKit?: true;
};

const kit = (group: ShortcutGroup, ...combos: Combo[]): Row & { inKit: true } => ({
  group,
  combos,
  inKit: true,
});
const app = (...combos: Combo[]): Row & { inKit?: never } => ({ group: 'getAround', combos });

/** Every shortcut. The key handler of the app reads this table, and so does the page that shows them. */
export const shortcuts = {
  switcher: app({ key: 'k', mod: true }),
  find: app({ key: 'f', mod: true }),
  previous: app({ key: 'ArrowUp', alt: true }),
  next: app({ key: 'ArrowDown', alt: true }),
  previousUnread: app({ key: 'ArrowUp', alt: true, shift: true }),
  nextUnread: app({ key: 'ArrowDown', alt: true, shift: true }),
  firstUnread: app({ key: 'J', code: 'KeyJ', alt: true }),
  shortcuts: app({ key: '?' }, { key: '/', mod: true }),
  close: kit('getAround', { key: 'Escape' }),
  back: kit('getAround', { key: 'ArrowLeft', alt: true }),
  toMessages: kit('messages', { key: 'ArrowUp' }, { key: 'ArrowDown' }),
  byPage: kit('messages', { key: 'PageUp' }, { key: 'PageDown' }),
  toEnds: kit('messages', { key: 'Home' }, { key: 'End' }),
  send: kit('writing', { key: 'Enter' }),
  newLine: kit('writing', { key: 'Enter', shift: true }),
  editLast: kit('writing', { key: 'ArrowUp' }),
  bold: kit('writing', { key: 'b', mod: true }),
  italic: kit('writing', { key: 'i', mod: true }),
  code: kit('writing', { key: 'e', mod: true }),
} as const;

export type ShortcutId = keyof typeof shortcuts;

/** The shortcuts that the app itself handles. */
export type AppShortcutId = {
  [Id in ShortcutId]: (typeof shortcuts)[Id] extends { inKit: true } ? never : Id;
}[ShortcutId];

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'
>;

/** Without a modifier a key is a letter that somebody types. */
const isLetter = ({ mod, alt }: Combo): boolean => !mod && !alt;

/** The letter on the key: where the keyboard writes another script, the Latin one of the same place. */
const letterOf = ({ key, code }: KeyPress): string => {
  if (key === '؟') return '?';
  return key > '\u007f' ? code.replace('Key', '') : key;
};

const fits = (press: KeyPress, combo: Combo, isMac: boolean): boolean => {
  const [mod, other] = isMac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  if (other || mod !== (combo.mod ?? false) || press.altKey !== (combo.alt ?? false)) return false;
  if (combo.code !== undefined) return press.code === combo.code && !press.shiftKey;
  if (letterOf(press).toLowerCase() !== combo.key.toLowerCase()) return false;
  // It is a matter of the keyboard which keys need Shift for a sign.
  return /^[?/]$/.test(combo.key) || press.shiftKey === (combo.shift ?? false);
};

/** Every shortcut, in the order of the table. */
export const shortcutIds = Object.keys(shortcuts) as ShortcutId[];

const isApp = (id: ShortcutId): id is AppShortcutId => !('inKit' in shortcuts[id]);
const appIds = shortcutIds.filter(isApp);

/** The shortcut of a key, unless it belongs to an input method or to the text field in which it was pressed. */
export const shortcutOf = (press: KeyPress, isTyping: boolean, isMac: boolean): AppShortcutId | undefined => {
  // Safari ends the composition before the keydown and marks it only by the code 229.
  if (press.isComposing || press.keyCode === 229) return undefined;
  return appIds.find((id) =>
    shortcuts[id].combos.some((combo) => !(isTyping && isLetter(combo)) && fits(press, combo, isMac)),
  );
};

/** Those that go one step further while their key is held; the others act once. */
export const isStep = (id: AppShortcutId): boolean =>
  shortcuts[id].combos.some(({ key }) => /^Arrow/.test(key));

export const isMacLike = (platform: string): boolean => /mac|iphone|ipad/i.test(platform);
