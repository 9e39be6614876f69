import type { ByteRange } from '../../storage/storage.ts';

export type Wanted = { kind: 'all' } | { kind: 'part'; range: ByteRange } | { kind: 'outside' };

/** Parses a Range header. Several ranges, and headers that are no range, ask for the whole file. */
export const wantedRange = (header: string | undefined, size: number): Wanted => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'all' };
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0
      ? { kind: 'part', range: { start: size - length, end: size - 1 } }
      : { kind: 'outside' };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return { kind: 'all' };
  return start < size ? { kind: 'part', range: { start, end } } : { kind: 'outside' };
};
