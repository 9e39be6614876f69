/** A storage that lasts as long as the page. */
const createStorage = (): Storage => {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
};

/** A browser that is set to store nothing refuses even the look at its storage: the app then works with one of its own. */
export const ensureStorage = (
  page: Pick<Window, 'localStorage' | 'sessionStorage'>,
  name: 'localStorage' | 'sessionStorage',
): void => {
  try {
    page[name].getItem('');
  } catch {
    Object.defineProperty(page, name, { value: createStorage(), configurable: true });
  }
};
