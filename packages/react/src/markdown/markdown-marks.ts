/** True for a text with anything that Markdown would draw differently. */
export const isMarkdown = (text: string): boolean =>
  /[*_~`\\[]|^ {0,3}(?:>|[-+]\s|\d{1,9}[.)]\s)/m.test(text);

const mostPreviewed = 400;

/** A text in one line, for places that draw no Markdown: its words without the marks. */
export const previewOf = (text: string): string => {
  const said = text.slice(0, mostPreviewed);
  return (isMarkdown(said) ? withoutMarks(said) : said).replaceAll(/\s+/g, ' ').trim();
};

const withoutMarks = (text: string): string =>
  text
    .replaceAll(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replaceAll(/^ {0,3}(?:>|[-+*](?=\s))\s?/gm, '')
    .replaceAll(/\[([^\][]+)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/(\*\*|~~|`+)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w\\])__(?=\S)(.+?)(?<=\S)__(?!\w|[.(]\w)/g, '$1')
    .replaceAll(/(?<![\w*_\\])([*_])(?=[^\s*_])([^*_]+?)(?<=\S)\1(?![\w*_])/g, '$2');
