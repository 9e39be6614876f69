import type { LocationsTexts } from '../features/locations/english.ts';
import type { SearchTexts } from '../features/search/english.ts';
import type { ThreadsTexts } from '../features/threads/english.ts';

/** The words of parts that are loaded late. They come with their part, and are translated here with the others. */
export type PartTexts = {
  locations: LocationsTexts;
  search: SearchTexts;
  threads: ThreadsTexts;
};

export type PartTranslations = { readonly [Part in keyof PartTexts]?: Partial<PartTexts[Part]> };
