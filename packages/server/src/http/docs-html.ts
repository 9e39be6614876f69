/** Text that is HTML already. Only `html` makes it, so that nothing reaches the page unescaped. */
export type Html = { readonly html: string };
type Part = Html | string | number | readonly Part[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const render = (part: Part): string => {
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(render).join('');
};

/** A template whose values are escaped unless they come from `html` themselves. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: strings.map((text, index) => text + render(parts[index] ?? '')).join(''),
});

/** Prose of the registry, in which `backticks` mark code. */
export const prose = (text: string): Html[] =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
