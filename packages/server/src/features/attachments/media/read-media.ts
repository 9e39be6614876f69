import { readFlac, readMp3, readOgg, readWav } from './audio.ts';
import { readMp4 } from './mp4.ts';
import type { MediaFacts, Source } from './source.ts';
import { readWebm } from './webm.ts';

const readers: Record<string, (source: Source) => Promise<MediaFacts>> = {
  'video/mp4': readMp4,
  'video/quicktime': readMp4,
  'video/3gpp': readMp4,
  'audio/mp4': readMp4,
  'video/webm': readWebm,
  'audio/webm': readWebm,
  'video/x-matroska': readWebm,
  'audio/ogg': readOgg,
  'video/ogg': readOgg,
  'audio/wav': readWav,
  'audio/flac': readFlac,
  'audio/mpeg': readMp3,
};

export const isMedia = (type: string): boolean => type in readers;

/** Reads the facts of a video or audio file from its head. A broken file has none. */
export const readMedia = async (type: string, source: Source): Promise<MediaFacts> => {
  try {
    return (await readers[type]?.(source)) ?? {};
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
};
