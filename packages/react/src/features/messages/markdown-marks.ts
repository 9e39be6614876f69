/** Whether a text holds anything that Markdown would draw otherwise. */
export const isMarkdown = (text: string): boolean =>
  /[*_~`\\[]|^ {0,3}(?:>|[-+]\s|\d{1,9}[.)]\s)/m.test(text);
