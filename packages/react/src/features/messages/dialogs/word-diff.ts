export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string };

/** Past this many pairs of words a diff is no longer readable, and no longer cheap. */
const mostPairs = 1_000_000;

const wordsOf = (text: string): readonly string[] => text.match(/\s+|[\p{L}\p{N}\p{M}]+|[^\s]/gu) ?? [];

/** Lengths of the longest common run of words from each pair of places to the ends. */
const commonTable = (before: readonly string[], after: readonly string[]): Uint16Array[] => {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const [row, below] = [rows[i], rows[i + 1]];
    for (let j = after.length - 1; row && below && j >= 0; j -= 1)
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return rows;
};

/** The difference of two texts, word by word. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const parts: DiffPart[] = [];
  const append = (kind: DiffPart['kind'], text: string) => {
    const last = parts.at(-1);
    if (text === '') return;
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  if (old.length * now.length > mostPairs) {
    append('removed', before);
    append('added', after);
    return parts;
  }
  const table = commonTable(old, now);
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone = '', come = ''] = [old[i], now[j]];
    if (i < old.length && j < now.length && gone === come) {
      append('same', gone);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))) {
      append('removed', gone);
      i += 1;
    } else {
      append('added', come);
      j += 1;
    }
  }
  return parts;
}
