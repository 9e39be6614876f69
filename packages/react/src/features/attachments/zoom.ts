/** The view of a picture on its stage: enlarged by `scale`, its middle moved from the middle of the stage. */
export type ZoomView = { scale: number; x: number; y: number };
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };

export const whole: ZoomView = { scale: 1, x: 0, y: 0 };
const mostScale = 8;

/** Keeps the picture on the stage: one that is larger than the stage fills it, a smaller one stays in the middle. */
export const keepInside = (view: ZoomView, stage: Size, picture: Size): ZoomView => {
  const most = (shown: number, available: number) => Math.max(0, (shown * view.scale - available) / 2);
  const [x, y] = [most(picture.width, stage.width), most(picture.height, stage.height)];
  return {
    ...view,
    x: Math.min(x, Math.max(-x, view.x)) || 0,
    y: Math.min(y, Math.max(-y, view.y)) || 0,
  };
};

/** Enlarges around a point, which stays where it is. Points are from the middle of the stage. */
export const zoomAt = (view: ZoomView, { x, y }: Point, factor: number): ZoomView => {
  const scale = Math.min(mostScale, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
};

/** The size of a picture on the stage when it is shown whole. */
export const fitted = (natural: Size, stage: Size): Size => {
  if (natural.width <= 0 || natural.height <= 0) return stage;
  const by = Math.min(1, stage.width / natural.width, stage.height / natural.height);
  return { width: natural.width * by, height: natural.height * by };
};

const swipeShare = 0.18;
const swipeMost = 90;
const flick = 0.5;

export type Swipe = 'previous' | 'next' | 'close';

/** The swipe of a finger that dragged a picture so far in so many milliseconds: left goes on, right goes back. */
export const swipeOf = ({ x, y }: Point, ms: number, stage: Size): Swipe | undefined => {
  const isAcross = Math.abs(x) > Math.abs(y);
  const way = isAcross ? Math.abs(x) : y;
  const enough = Math.min(swipeMost, (isAcross ? stage.width : stage.height) * swipeShare);
  const isFlick = way > 24 && way / Math.max(1, ms) > flick;
  if (way < enough && !isFlick) return undefined;
  if (!isAcross) return 'close';
  return x < 0 ? 'next' : 'previous';
};
