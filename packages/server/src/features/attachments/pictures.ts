import type { ErrorDetail } from '@parley/protocol/errors';

/** The types that are decoded and encoded again. All others are plain files. */
export const pictureFormats: Record<string, 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
};

export const isPicture = (type: string): boolean => Object.hasOwn(pictureFormats, type);

export type ImageRules = { pixels: number };
export type MadeImage = { width: number; height: number; path: string; thumbPath: string; thumbType: string };

export class UnreadableImage extends Error {}

/** A request of the server to the process that decodes; one at a time. */
export type ImageOrder = { path: string; type: string; rules: ImageRules };

/** The answer of that process; `ready` comes once, when it can begin. */
export type ImageAnswer =
  | { kind: 'ready' }
  | { kind: 'made'; image: MadeImage }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'refused'; message: string; details: ErrorDetail[] | undefined };
