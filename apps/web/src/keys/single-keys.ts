import { putItem } from '../session/put-item.ts';

const key = 'parley.single-keys';

/** Whether a key without Ctrl, ⌘ or Alt may be a shortcut. Who dictates says such keys by chance, so they can be switched off. */
export const areSingleKeysOn = (storage: Pick<Storage, 'getItem'>): boolean => storage.getItem(key) !== 'off';

/** Where the storage is full or forbidden they stay as they are. */
export const setSingleKeys = (storage: Pick<Storage, 'setItem' | 'removeItem'>, on: boolean): void => {
  if (on) storage.removeItem(key);
  else putItem(storage, key, 'off');
};
