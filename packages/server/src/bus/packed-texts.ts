/** JSON has no raw line break, and neither has the text of an event behind it. */
const endOfText = '\n';

/** Packs texts, as many as a message of so many bytes holds, in order. */
export const packTexts = (texts: readonly string[], most: number): string[] => {
  const packed: string[] = [];
  let bytes = most + 1;
  for (const text of texts) {
    const size = Buffer.byteLength(text) + endOfText.length;
    if (bytes + size > most) {
      packed.push(text);
      bytes = size;
    } else {
      packed.push(`${packed.pop()}${endOfText}${text}`);
      bytes += size;
    }
  }
  return packed;
};

export const unpackTexts = (packed: string): string[] =>
  packed.includes(endOfText) ? packed.split(endOfText) : [packed];
