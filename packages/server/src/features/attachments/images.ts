import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { invalid, ParleyError } from '@parley/protocol';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { createLine } from '../../lib/line.ts';

/** What is decoded and written anew. The rest is a file like any other. */
const formats: Record<string, 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
};
/** What the decoder may find in it. */
const loaders: Record<string, string[]> = {
  'image/jpeg': ['jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['heif', 'avif'],
};
const thumbSide = 480;
const mostFrames = 300;
/** One core is left to the messages. */
const atOnce = Math.min(4, Math.max(1, availableParallelism() - 1));

export type ImageRules = { pixels: number };
export type MadeImage = { width: number; height: number; path: string; thumbPath: string; thumbType: string };

// One thread an image, none kept: images share two cores with every message that is sent.
sharp.cache(false);
sharp.concurrency(1);

export const isPicture = (type: string): boolean => type in formats;

export class UnreadableImage extends Error {}

/** Decoded images are large: so many at a time and the rest in line. */
const inLine = createLine(atOnce);

/** Held against the limits by what the head says, before anything is decoded. */
const checkSize = (
  { width = 0, height = 0, pages = 1, pageHeight }: Metadata,
  { pixels }: ImageRules,
): void => {
  const each = width * (pageHeight ?? height);
  if (width < 1 || height < 1) throw new UnreadableImage('no size');
  const all = each * Math.max(1, pages);
  if (each > pixels || all > pixels * 4)
    throw invalid('file', `The image has ${all} pixels: at most ${pixels} may be in it`);
  if (pages > mostFrames)
    throw invalid('file', `The image has ${pages} frames: at most ${mostFrames} may be in it`);
};

const encode = (image: Sharp, format: (typeof formats)[string]): Sharp => {
  if (format === 'jpeg') return image.jpeg({ quality: 88, chromaSubsampling: '4:2:0' });
  if (format === 'png') return image.png({ compressionLevel: 6 });
  if (format === 'gif') return image.gif({ effort: 3 });
  if (format === 'avif') return image.avif({ quality: 65, effort: 2 });
  return image.webp({ quality: 88, effort: 2 });
};

const write = async (path: string, type: string, rules: ImageRules): Promise<MadeImage> => {
  const options = { limitInputPixels: rules.pixels * 4, failOn: 'error' as const };
  // Only the head is read: the limit would refuse it without saying how large it is.
  const metadata = await sharp(path, { ...options, limitInputPixels: false }).metadata();
  if (!loaders[type]?.includes(metadata.format ?? '')) throw new UnreadableImage('other content');
  checkSize(metadata, rules);
  const made = `${path}.image`;
  const thumb = `${path}.thumb`;
  // Written anew without what came along: place, camera, comments, and whatever else was hidden behind the picture.
  const isAnimated = (metadata.pages ?? 1) > 1;
  const whole = sharp(path, { ...options, animated: isAnimated });
  const info = await encode(isAnimated ? whole : whole.autoOrient(), formats[type] ?? 'png').toFile(made);
  await sharp(made, options)
    .resize({ width: thumbSide, height: thumbSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78, effort: 2 })
    .toFile(thumb);
  const height = info.pageHeight ?? info.height;
  return { width: info.width, height, path: made, thumbPath: thumb, thumbType: 'image/webp' };
};

/** Makes from the picture at `path` one that may be shown, and its thumbnail, beside it. Whoever asks removes both. */
export const makeImage = (path: string, type: string, rules: ImageRules): Promise<MadeImage> =>
  inLine(async () => {
    try {
      return await write(path, type, rules);
    } catch (error) {
      await Promise.all(['.image', '.thumb'].map((ending) => rm(`${path}${ending}`, { force: true })));
      if (error instanceof UnreadableImage || error instanceof ParleyError) throw error;
      throw new UnreadableImage((error as Error).message, { cause: error });
    }
  });
