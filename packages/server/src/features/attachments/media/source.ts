/** A stored file of which pieces are read. A read past the end gives what there is. */
export type Source = { size: number; read(start: number, length: number): Promise<Buffer> };

/** The facts that could be read; unknown ones are left out. Duration in seconds. */
export type MediaFacts = {
  duration?: number;
  width?: number;
  height?: number;
  /** Its tracks were read and none is a picture. */
  isSound?: boolean;
};

/** A day has 86 400 s: what claims to last a year is a mistake or a joke. */
const longestSeconds = 366 * 86_400;

/** Less than a millisecond is no length. */
export const seconds = (value: number): MediaFacts =>
  Number.isFinite(value) && value >= 0.001 && value < longestSeconds
    ? { duration: Math.round(value * 1000) / 1000 }
    : {};

export const frame = (width: number, height: number): MediaFacts =>
  width > 0 && height > 0 && width < 65_536 && height < 65_536
    ? { width: Math.round(width), height: Math.round(height) }
    : {};
