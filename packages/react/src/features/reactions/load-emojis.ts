type Emojis = typeof import('./emoji-data.ts');

let loaded: Emojis | undefined;

/** The names of all emojis, where they have been loaded already. */
export const loadedEmojis = (): Emojis | undefined => loaded;

/** Loads the names of all emojis: 38 kB that only users need who open the picker or type a colon. */
export const loadEmojis = async (): Promise<Emojis> => {
  loaded ??= await import('./emoji-data.ts');
  return loaded;
};
