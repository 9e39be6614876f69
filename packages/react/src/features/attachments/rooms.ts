import type { Attachment } from '@parley/client';

/** What a picture takes before it is there, so that nothing moves when it comes. */
export type Room = { inlineSize: number; aspectRatio: number };

const widest = 352;
const narrowest = 200;
const tallest = 384;
/** Longer ones are cut at the ends in the message and whole in the lightbox. */
const slimmest = 0.6;
const flattest = 2.4;

type Sized = Pick<Attachment, 'width' | 'height'>;

const ratioOf = ({ width, height }: Sized, otherwise: number): number =>
  width && height ? Math.min(flattest, Math.max(slimmest, width / height)) : otherwise;

const oneRoom = (sized: Sized, otherwise: number): Room => {
  const aspectRatio = ratioOf(sized, otherwise);
  const natural = Math.max(narrowest, sized.width || widest);
  return { inlineSize: Math.round(Math.min(widest, tallest * aspectRatio, natural)), aspectRatio };
};

/** More than these are behind the last tile. */
export const mostTiles = 4;

const ratioOfMany = [4 / 3, 4 / 3, 2, 3 / 2, 4 / 3];

/** The room of all pictures of a message together. */
export const roomOfImages = (images: readonly Sized[]): Room => {
  const [first] = images;
  if (images.length === 1 && first) return oneRoom(first, 4 / 3);
  const aspectRatio = ratioOfMany[Math.min(images.length, mostTiles)] ?? 1;
  return { inlineSize: widest, aspectRatio };
};

export const roomOfVideo = (video: Sized): Room => {
  const room = oneRoom(video, 16 / 9);
  return { ...room, inlineSize: Math.max(240, Math.min(widest, tallest * room.aspectRatio)) };
};

/** Smaller than its room: drawn as it is, not blown up. */
export const isSmall = ({ width, height }: Sized): boolean =>
  width !== undefined && height !== undefined && width < narrowest && height < narrowest;

export type LinkForm = 'large' | 'card' | 'line';

/** A picture or video is shown large; an article as a card, without a picture and a text in two lines. */
export const formOfLink = ({ type, image_url, thumb_url, text }: Attachment): LinkForm => {
  const hasImage = (image_url ?? thumb_url)?.startsWith('http:') === false;
  if (hasImage && (type === 'image' || type === 'video')) return 'large';
  return hasImage || (text ?? '') !== '' ? 'card' : 'line';
};
