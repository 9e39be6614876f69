import type { Catalogue, Phrase, Phrases, TextValues } from './catalogue.ts';
import { commonTexts } from './common-texts.ts';
import { lazily } from './lazily.ts';

type Common = typeof commonTexts.english;
type TextAt<Texts extends Phrases, Key> = Key extends keyof Texts
  ? Texts[Key]
  : Key extends keyof Common
    ? Common[Key]
    : never;

/** Turns a key of a catalogue and a value for each placeholder into a sentence: `text('votes', { count: 3 })`. */
export type Text<Texts extends Phrases = Phrases> = {
  <Key extends (keyof Texts & string) | keyof Common>(
    key: Key,
    ...values: TextValues<TextAt<Texts, Key>>
  ): string;
  /** Exists only in types: it keeps the texts of different catalogues apart. */
  readonly texts?: Texts;
};

/** The function that reads a catalogue: `TextOf<typeof pollTexts>`. */
export type TextOf<From extends Catalogue> = Text<From['english']>;

/** Translations as they arrive at run time: by feature and key, they may be malformed. */
export type AnyTranslations = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

type AnyValues = Readonly<Record<string, string | number>>;

/** A name that turns the direction of writing turns only itself, not the sentence around it. */
const isolated = (value: string): string =>
  /[\u202a-\u202e\u2066-\u2069]/.test(value) ? `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069` : value;

const placeholder = /\{(\w+)\}/g;

const fill = (sentence: string, values: AnyValues, numbers: () => Intl.NumberFormat): string =>
  sentence.replace(placeholder, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === 'number' ? numbers().format(value) : isolated(value);
  });

/** The sentence of a text for a count. Without the form that the count needs it is the `other` one. */
const formOf = (phrase: Phrase, rules: () => Intl.PluralRules, { count }: AnyValues): string =>
  typeof phrase === 'string' ? phrase : (phrase[rules().select(Number(count))] ?? phrase.other);

const isSentence = (value: unknown): value is string => typeof value === 'string';

/** A translation is data of the product: without one of the placeholders it would lose a part of the text. */
const isPhraseFor = (given: unknown, english: Phrase): given is Phrase => {
  const names = [...(isSentence(english) ? english : english.other).matchAll(placeholder)].map(
    ([name]) => name,
  );
  const holds = (sentence: unknown, isOther: boolean): boolean =>
    isSentence(sentence) &&
    names.every((name) => (name === '{count}' && !isOther) || sentence.includes(name));
  if (typeof given !== 'object' || given === null) return holds(given, true);
  return (
    'other' in given && Object.entries(given).every(([form, sentence]) => holds(sentence, form === 'other'))
  );
};

const inEnglish = lazily(() => new Intl.PluralRules('en'));

/** Makes the function that turns catalogues into texts of a language. A text that is not translated stays English. */
export function createTexts(language: string, translations: AnyTranslations = {}) {
  const rules = lazily(() => new Intl.PluralRules(language));
  const numbers = lazily(() => new Intl.NumberFormat(language));
  const made = new Map<Catalogue, Text<Phrases>>();

  const read = ({ feature, english }: Catalogue): Text<Phrases> => {
    const checked = new Map<string, Phrase | undefined>();
    const translated = (key: string, phrase: Phrase): Phrase | undefined => {
      if (!checked.has(key)) {
        const isShared = !(key in english) && key in commonTexts.english;
        const given = translations[isShared ? commonTexts.feature : feature]?.[key];
        checked.set(key, given && isPhraseFor(given, phrase) ? given : undefined);
      }
      return checked.get(key);
    };
    return (key: string, values: AnyValues = {}) => {
      const phrase = english[key] ?? (commonTexts.english as Phrases)[key] ?? '';
      const own = translated(key, phrase);
      return fill(
        own === undefined ? formOf(phrase, inEnglish, values) : formOf(own, rules, values),
        values,
        numbers,
      );
    };
  };

  return <Texts extends Phrases>(catalogue: Catalogue<Texts>): Text<Texts> => {
    let text = made.get(catalogue);
    if (text === undefined) {
      text = read(catalogue);
      made.set(catalogue, text);
    }
    return text as unknown as Text<Texts>;
  };
}
