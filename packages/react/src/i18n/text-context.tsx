import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Catalogue, english } from './english.ts';
import { createFormat, type Format } from './format.ts';
import type { PartTexts, PartTranslations } from './part-texts.ts';
import { createTranslate, type Translate } from './text.ts';

type Words = { text: Translate; format: Format; parts: PartTranslations };

function createWords(options: Omit<TextProviderProps, 'children'>): Words {
  const { catalogue, parts = {}, locale = 'en', timeZone, now = Date.now } = options;
  const text = createTranslate(catalogue === undefined ? english : { ...english, ...catalogue }, locale);
  return { text, format: createFormat({ locale, timeZone, now, text }), parts };
}

const WordsContext = createContext<Words>(createWords({}));

export type TextProviderProps = {
  /** Phrases that replace the English ones; those left out stay English. */
  catalogue?: Partial<Catalogue>;
  /** The same for the parts that are loaded late. */
  parts?: PartTranslations;
  /** BCP 47 tag for plurals, lists, numbers and times. */
  locale?: string;
  timeZone?: string;
  now?: () => number;
  children: ReactNode;
};

export function TextProvider({ catalogue, parts, locale, timeZone, now, children }: TextProviderProps) {
  const words = useMemo(
    () =>
      createWords({
        ...(catalogue && { catalogue }),
        ...(parts && { parts }),
        ...(locale && { locale }),
        ...(timeZone && { timeZone }),
        ...(now && { now }),
      }),
    [catalogue, parts, locale, timeZone, now],
  );
  return <WordsContext value={words}>{children}</WordsContext>;
}

/** The kit's phrases in the current language: `text('newMessages', { n: 3 })`. */
export function useText(): Translate {
  return useContext(WordsContext).text;
}

/** The words of a part that is loaded late: its English, what the product put in its place, and what this one use says. */
export function usePartTexts<Part extends keyof PartTexts>(
  part: Part,
  english: PartTexts[Part],
  given?: Partial<PartTexts[Part]>,
): PartTexts[Part] {
  const { parts } = useContext(WordsContext);
  return useMemo(() => ({ ...english, ...parts[part], ...given }), [english, parts, part, given]);
}

/** Times, days and lists in the current language. */
export function useFormat(): Format {
  return useContext(WordsContext).format;
}
