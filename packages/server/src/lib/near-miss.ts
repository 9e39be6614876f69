const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** How many signs must be put in, left out, changed (at that price) or swapped with their neighbour to get to the other. */
const distance = (one: string, other: string, changed: number): number => {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : changed),
          isSwapped ? (before[column - 2] ?? row) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = line;
  }
  return last[other.length] ?? 0;
};

/** The known name that an unknown one may be a typo of: one slip in four characters, two in eight. Short words that
 * differ in one sign are mostly two words, such as name and game. */
export const nearMiss = (name: string, known: readonly string[]): string | undefined => {
  const given = bare(name);
  if (given.length < 3 || given.length > 64) return undefined;
  const most = given.length >= 8 ? 2 : given.length >= 4 ? 1 : 0;
  const found = known
    .filter((each) => Math.abs(bare(each).length - given.length) <= most && bare(each).length >= 3)
    .map((each) => ({ each, far: distance(given, bare(each), given.length >= 8 ? 1 : 2) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)[0];
  return found?.each;
};
