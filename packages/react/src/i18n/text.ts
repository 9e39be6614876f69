import type { Catalogue, TextKey } from './english.ts';

export type TextValues = Readonly<Record<string, string | number>>;

export type Translate = (key: TextKey, values?: TextValues) => string;

/** A name that turns the direction of writing turns only itself, not the sentence around it. */
const isolated = (value: string): string =>
  /[\u202a-\u202e\u2066-\u2069]/.test(value) ? `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069` : value;

/** Makes the function that turns a key and its values into a sentence of the locale. */
export function createTranslate(catalogue: Catalogue, locale: string): Translate {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);

  return (key, values = {}) => {
    const phrase = catalogue[key];
    const sentence =
      typeof phrase === 'string' ? phrase : (phrase[plural.select(Number(values.n ?? 0))] ?? phrase.other);

    return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = values[name];
      if (value === undefined) return hole;
      return typeof value === 'number' ? number.format(value) : isolated(value);
    });
  };
}
