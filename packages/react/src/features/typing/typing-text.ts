import type { TextOf } from '../../i18n/text.ts';
import type { typingTexts } from './texts.ts';

/** The text of the typing indicator; undefined when nobody types. */
export function typingText(names: readonly string[], text: TextOf<typeof typingTexts>): string | undefined {
  const [first, second] = names;
  if (first === undefined) return undefined;
  if (second === undefined) return text('typingOne', { name: first });
  if (names.length === 2) return text('typingTwo', { first, second });
  return text('typingMany', { count: names.length });
}
