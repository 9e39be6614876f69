import type { Attachment } from '@parley/client';

/** The size of a picture before it is loaded, so that nothing moves when it arrives. */
export type PlaceholderSize = { inlineSize: number; aspectRatio: number };

const widest = 352;
const narrowest = 200;
const tallest = 384;
/** Pictures longer than this are cut at the ends in the message and whole in the lightbox. */
const slimmest = 0.6;
const flattest = 2.4;

type Sized = Pick<Attachment, 'width' | 'height'>;

const ratioOf = ({ width, height }: Sized, otherwise: number): number =>
  width && height ? Math.min(flattest, Math.max(slimmest, width / height)) : otherwise;

const sizeOfOne = (sized: Sized, otherwise: number): PlaceholderSize => {
  const aspectRatio = ratioOf(sized, otherwise);
  const natural = Math.max(narrowest, sized.width || widest);
  return { inlineSize: Math.round(Math.min(widest, tallest * aspectRatio, natural)), aspectRatio };
};

/** More than these are behind the last tile. */
export const mostTiles = 4;

const ratioOfMany = [4 / 3, 4 / 3, 2, 3 / 2, 4 / 3];

/** The size of all pictures of a message together. */
export const sizeOfImages = (images: readonly Sized[]): PlaceholderSize => {
  const [first] = images;
  if (images.length === 1 && first) return sizeOfOne(first, 4 / 3);
  const aspectRatio = ratioOfMany[Math.min(images.length, mostTiles)] ?? 1;
  return { inlineSize: widest, aspectRatio };
};

export const sizeOfVideo = (video: Sized): PlaceholderSize => {
  const size = sizeOfOne(video, 16 / 9);
  return { ...size, inlineSize: Math.max(240, Math.min(widest, tallest * size.aspectRatio)) };
};

/** Smaller than its placeholder: drawn as it is, not enlarged. */
export const isSmall = ({ width, height }: Sized): boolean =>
  width !== undefined && height !== undefined && width < narrowest && height < narrowest;

export type LinkForm = 'large' | 'card' | 'line';

/** A picture or video is shown large; an article as a card, without a picture and a text in two lines. */
export const formOfLink = ({ type, image_url, thumb_url, text }: Attachment): LinkForm => {
  const hasImage = (image_url ?? thumb_url)?.startsWith('http:') === false;
  if (hasImage && (type === 'image' || type === 'video')) return 'large';
  return hasImage || (text ?? '') !== '' ? 'card' : 'line';
};
