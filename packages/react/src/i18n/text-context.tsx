import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Catalogue, english } from './english.ts';
import { createFormat, type Format } from './format.ts';
import { createTranslate, type Translate } from './text.ts';

type Words = { text: Translate; format: Format };

function createWords(options: Omit<TextProviderProps, 'children'>): Words {
  const { catalogue, locale = 'en', timeZone, now = Date.now } = options;
  const text = createTranslate(catalogue === undefined ? english : { ...english, ...catalogue }, locale);
  return { text, format: createFormat({ locale, timeZone, now, text }) };
}

const WordsContext = createContext<Words>(createWords({}));

export type TextProviderProps = {
  /** Phrases that replace the English ones; those left out stay English. */
  catalogue?: Partial<Catalogue>;
  /** BCP 47 tag for plurals, lists, numbers and times. */
  locale?: string;
  timeZone?: string;
  now?: () => number;
  children: ReactNode;
};

export function TextProvider({ catalogue, locale, timeZone, now, children }: TextProviderProps) {
  const words = useMemo(
    () =>
      createWords({
        ...(catalogue && { catalogue }),
        ...(locale && { locale }),
        ...(timeZone && { timeZone }),
        ...(now && { now }),
      }),
    [catalogue, locale, timeZone, now],
  );
  return <WordsContext value={words}>{children}</WordsContext>;
}

/** The kit's phrases in the current language: `text('newMessages', { n: 3 })`. */
export function useText(): Translate {
  return useContext(WordsContext).text;
}

/** Times, days and lists in the current language. */
export function useFormat(): Format {
  return useContext(WordsContext).format;
}
