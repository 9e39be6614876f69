/** Something a text may call by its name after an @. */
export type Label<T> = { name: string; value: T };
export type Found<T> = { start: number; end: number; value: T };

const isWordChar = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** The places where a text mentions one of the labels. The longest name wins, and a name ends where its word ends. */
export const findMentions = <T>(text: string, labels: readonly Label<T>[]): Found<T>[] => {
  const byLength = labels.toSorted((a, b) => b.name.length - a.name.length);
  const lower = text.toLowerCase();
  // A letter whose small form is longer would shift every place after it.
  const haystack = lower.length === text.length ? lower : text;
  const found: Found<T>[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (isWordChar(text[at - 1])) continue;
    const label = byLength.find(
      ({ name }) =>
        name !== '' &&
        haystack.startsWith(haystack === lower ? name.toLowerCase() : name, at + 1) &&
        !isWordChar(text[at + 1 + name.length]),
    );
    if (!label) continue;
    found.push({ start: at, end: at + 1 + label.name.length, value: label.value });
    at += label.name.length;
  }
  return found;
};
