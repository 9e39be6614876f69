/** A row and the distance of its top from the top of the list; without an offset it belongs in the middle. */
export type Anchor = { key: string; offset?: number | undefined };

/** A row and its position. */
export type Place = { key: string; offset: number };

export type Rows = { keys: readonly string[]; sizeOf: (key: string) => number };

export type Range = { start: number; end: number };

type View = { viewport: number; beyond: number };

/** The rows to draw around the anchor, or up from the end without one. */
export const rangeAround = (
  { keys, sizeOf }: Rows,
  anchor: Anchor | undefined,
  { viewport, beyond }: View,
): Range => {
  const at = anchor === undefined ? -1 : keys.indexOf(anchor.key);
  const size = (index: number) => sizeOf(keys[index] ?? '');
  const index = at < 0 ? keys.length : at;
  const place = at < 0 ? viewport : (anchor?.offset ?? (viewport - size(at)) / 2);
  let start = index;
  for (let top = place; start > 0 && top > -beyond; ) top -= size(--start);
  let end = index;
  for (let bottom = place; end < keys.length && bottom < viewport + beyond; ) bottom += size(end++);
  return { start, end };
};

export const sumOf = ({ keys, sizeOf }: Rows, start: number, end: number): number => {
  let sum = 0;
  for (let index = start; index < end; index += 1) sum += sizeOf(keys[index] ?? '');
  return sum;
};

/** The anchor among the new rows: the row itself, or else the nearest that is still there, below before above. */
export const anchorAfter = <A extends Anchor>(
  anchor: A,
  before: Rows,
  isThere: (key: string) => boolean,
): A | undefined => {
  if (isThere(anchor.key)) return anchor;
  const { keys, sizeOf } = before;
  const at = keys.indexOf(anchor.key);
  if (at < 0 || anchor.offset === undefined) return undefined;
  for (let index = at + 1, offset = anchor.offset; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    // The rows between are gone, so the next one takes the place of the first of them.
    if (isThere(key)) return { ...anchor, key, offset };
  }
  for (let index = at - 1, offset = anchor.offset; index >= 0; index -= 1) {
    const key = keys[index] ?? '';
    offset -= sizeOf(key);
    if (isThere(key)) return { ...anchor, key, offset };
  }
  return undefined;
};

/** The row that a scroll position falls on, where none is drawn there yet. */
export const anchorAt = ({ keys, sizeOf }: Rows, scrollTop: number): Place | undefined => {
  let top = 0;
  for (const key of keys) {
    const size = sizeOf(key);
    if (top + size > scrollTop) return { key, offset: top - scrollTop };
    top += size;
  }
  return undefined;
};
