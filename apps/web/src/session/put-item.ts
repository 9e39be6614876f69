/** Stores a text; false where the storage is full or forbidden, so that nothing but the memory of it is lost. */
export const putItem = (shelf: Pick<Storage, 'setItem'>, key: string, text: string): boolean => {
  try {
    shelf.setItem(key, text);
    return true;
  } catch {
    return false;
  }
};
