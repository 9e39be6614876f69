/** True for a text with anything that Markdown would draw differently. */
export const isMarkdown = (text: string): boolean => /[*_~`[]|^ {0,3}(?:> |[-+]\s|\d{1,3}[.)]\s)/m.test(text);

const mostPreviewed = 400;

/** A text in one line, for places that draw no Markdown: its words without the marks. */
export const previewOf = (text: string): string => {
  const said = text.slice(0, mostPreviewed);
  return (isMarkdown(said) ? withoutMarks(said) : said).replaceAll(/\s+/g, ' ').trim();
};

// Rarer marks than these are shown as they were typed: the reader of messages, which knows all, is not in the first screen.
const MARKED =
  /(?<=(?:^|[\s(])[*_~]*)(?<!_(?=_)|\*(?=\*))(?!__(?:init|name|main)__)(\*\*|__|~~|[*_`])(?=[*_~"-]*[\p{Lu}\p{Ll}\p{Lo}\p{N}])((?:(?!\1).)+?)(?<=[\p{L}\p{N}.!?)%"][*_~]*)\1(?=[*_~]*(?:$|[\s,!?)'-]|[.:](?!\p{L})))/gu;

const withoutMarks = (text: string): string =>
  text
    .replaceAll(/^ {0,3}(?:```|~~~)[\w+#.-]*$/gm, '')
    .replaceAll(/^ {0,3}(?:> (?=.*\p{L})|[-+*] (?=\p{L}))/gmu, '')
    .replaceAll(/\[([^\][]+)\]\(http[^()\s]*\)/g, '$1')
    .replaceAll(MARKED, '$2')
    .replaceAll(MARKED, '$2');
