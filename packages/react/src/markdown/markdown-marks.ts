/** True for a text with anything that Markdown would draw differently. */
export const isMarkdown = (text: string): boolean => /[*_~`[]|^ {0,3}(?:> |[-+]\s|\d{1,3}[.)]\s)/m.test(text);
