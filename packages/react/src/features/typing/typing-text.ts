import type { TextOf } from '../../i18n/text.ts';
import type { typingTexts } from './texts.ts';

/** Who is typing, in words; undefined when nobody is. */
export function typingText(names: readonly string[], text: TextOf<typeof typingTexts>): string | undefined {
  const [first, second] = names;
  if (first === undefined) return undefined;
  if (second === undefined) return text('typingOne', { name: first });
  if (names.length === 2) return text('typingTwo', { first, second });
  return text('typingMany', { count: names.length });
}
