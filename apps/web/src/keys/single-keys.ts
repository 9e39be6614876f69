const key = 'parley.single-keys';

/** Whether a key without Ctrl, ⌘ or Alt may be a shortcut. Who dictates says such keys by chance, so they can be switched off. */
export const areSingleKeysOn = (storage: Pick<Storage, 'getItem'>): boolean => storage.getItem(key) !== 'off';

export const setSingleKeys = (storage: Pick<Storage, 'setItem' | 'removeItem'>, on: boolean): void =>
  on ? storage.removeItem(key) : storage.setItem(key, 'off');
