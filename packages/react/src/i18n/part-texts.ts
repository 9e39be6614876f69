import type { MediaTexts } from '../features/attachments/media-english.ts';
import type { UploadsTexts } from '../features/attachments/uploads-english.ts';
import type { VoiceTexts } from '../features/attachments/voice/english.ts';
import type { PreviewsTexts } from '../features/link-previews/english.ts';
import type { LocationsTexts } from '../features/locations/english.ts';
import type { SearchTexts } from '../features/search/english.ts';
import type { ThreadsTexts } from '../features/threads/english.ts';

/** The words of parts that are loaded late. They come with their part, and are translated here with the others. */
export type PartTexts = {
  media: MediaTexts;
  previews: PreviewsTexts;
  locations: LocationsTexts;
  search: SearchTexts;
  threads: ThreadsTexts;
  uploads: UploadsTexts;
  voice: VoiceTexts;
};

export type PartTranslations = { readonly [Part in keyof PartTexts]?: Partial<PartTexts[Part]> };
