import { invalid } from '@parley/protocol/errors';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { type ImageRules, type MadeImage, pictureFormats, UnreadableImage } from './pictures.ts';

/** The loaders that may read a file of the type. */
const loaders: Record<string, string[]> = {
  'image/jpeg': ['jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['heif', 'avif'],
};
const thumbSide = 480;
const mostFrames = 300;
/** Above so many pixels AVIF is written the quick way: the careful one takes 23 s for the largest image. */
const carefulPixels = 4_000_000;

// One thread an image, none kept: images share two cores with every message that is sent.
sharp.cache(false);
sharp.concurrency(1);

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

const encode = (image: Sharp, type: string, pixels: number): Sharp => {
  const format = pictureFormats[type];
  if (format === 'jpeg') return image.jpeg({ quality: 88, chromaSubsampling: '4:2:0' });
  if (format === 'gif') return image.gif({ effort: 3 });
  if (format === 'avif') return image.avif({ quality: 65, effort: pixels > carefulPixels ? 0 : 2 });
  if (format === 'webp') return image.webp({ quality: 88, effort: 2 });
  return image.png({ compressionLevel: 6 });
};

/** Makes from the picture at `path` one that may be shown, and its thumbnail, beside it. */
export const writeImage = async (path: string, type: string, rules: ImageRules): Promise<MadeImage> => {
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
  const upright = isAnimated ? whole : whole.autoOrient();
  const info = await encode(upright, type, metadata.width * metadata.height).toFile(made);
  await sharp(made, options)
    .resize({ width: thumbSide, height: thumbSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78, effort: 2 })
    .toFile(thumb);
  const height = info.pageHeight ?? info.height;
  return { width: info.width, height, path: made, thumbPath: thumb, thumbType: 'image/webp' };
};
