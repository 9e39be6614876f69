import type { FunctionComponent, ReactNode } from 'react';
import type { pollTexts } from './features/polls/texts.ts';
import type { Catalogue, Translation } from './i18n/catalogue.ts';
import type { commonTexts } from './i18n/common-texts.ts';
import { AnyTextProvider } from './i18n/text-context.tsx';

/** Every catalogue of the kit by its feature. Only types: a feature that is loaded late brings its texts along. */
type KitCatalogues = {
  common: typeof commonTexts;
  polls: typeof pollTexts;
};

type TranslationsOf<Catalogues extends Record<string, Catalogue>> = {
  readonly [Feature in keyof Catalogues]?: Translation<Catalogues[Feature]['english']>;
};

/** The texts of the kit in another language, by feature and key. Those left out stay English. */
export type Translations = TranslationsOf<KitCatalogues>;

export type TextProviderProps = {
  /** BCP 47 tag: plural forms, lists, numbers and times are those of this language. English where it is left out. */
  language?: string | undefined;
  texts?: Translations | undefined;
  timeZone?: string | undefined;
  now?: (() => number) | undefined;
  children: ReactNode;
};

/** Gives the kit its language: `<TextProvider language="pl" texts={{ polls: { closed: 'Zamknięta' } }}>`. */
export const TextProvider: FunctionComponent<TextProviderProps> = AnyTextProvider;
