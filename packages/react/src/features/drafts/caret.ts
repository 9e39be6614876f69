/** The place of a caret after the text around it was changed from elsewhere: it stays beside the same text. */
export const movedCaret = (before: string, after: string, caret: number): number => {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (caret <= start) return caret;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const fromEnd = before.length - caret;
  return fromEnd <= end ? after.length - fromEnd : Math.max(start, after.length - end);
};
