import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Catalogue, Phrases } from './catalogue.ts';
import { commonTexts } from './common-texts.ts';
import { createFormat, type Format } from './format.ts';
import { type AnyTranslations, createTexts, type Text } from './text.ts';

type Language = { textsOf: ReturnType<typeof createTexts>; format: Format };
type Options = Omit<AnyTextProviderProps, 'children'>;

function createLanguage({ language = 'en', texts = {}, timeZone, now = Date.now }: Options): Language {
  const textsOf = createTexts(language, texts);
  return {
    textsOf,
    format: createFormat({ locale: language, timeZone, now, text: textsOf(commonTexts) }),
  };
}

const LanguageContext = createContext(createLanguage({}));

export type AnyTextProviderProps = {
  /** BCP 47 tag: plural forms, lists, numbers and times are those of this language. English where it is left out. */
  language?: string | undefined;
  /** Texts that replace the English ones, by feature and key; those left out stay English. */
  texts?: AnyTranslations | undefined;
  timeZone?: string | undefined;
  now?: (() => number) | undefined;
  children: ReactNode;
};

export function AnyTextProvider({ language, texts, timeZone, now, children }: AnyTextProviderProps) {
  const made = useMemo(
    () => createLanguage({ language, texts, timeZone, now }),
    [language, texts, timeZone, now],
  );
  return <LanguageContext value={made}>{children}</LanguageContext>;
}

/** The texts of a catalogue in the language of the provider: `useTexts(pollTexts)('votes', { count: 3 })`. */
export function useTexts<Texts extends Phrases>(catalogue: Catalogue<Texts>): Text<Texts> {
  return useContext(LanguageContext).textsOf(catalogue);
}

/** Reads any catalogue: for texts that are loaded after the last render. */
export function useTextsOf() {
  return useContext(LanguageContext).textsOf;
}

/** Times, days and lists in the current language. */
export function useFormat(): Format {
  return useContext(LanguageContext).format;
}
