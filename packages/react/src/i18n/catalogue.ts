/** A text: a sentence with `{name}` placeholders, or its plural forms, of which `{count}` chooses one. */
export type Phrase = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type Phrases = Readonly<Record<string, Phrase>>;

/** The texts of one feature in English. A product replaces them by `feature` through the `TextProvider`. */
export type Catalogue<Texts extends Phrases = Phrases> = {
  readonly feature: string;
  readonly english: Texts;
};

/** Makes a catalogue of a feature: `defineTexts('polls', { votes: { one: '{count} vote', other: '{count} votes' } })`. A feature that is loaded in parts
 * has one for each part under the same name, so that the first screen does not wait for texts that it does not show. */
export const defineTexts = <const Texts extends Phrases>(
  feature: string,
  english: Texts,
): Catalogue<Texts> => ({ feature, english });

type Named<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;

/** The names between braces; a text with plural forms always needs a `count`. */
type Placeholder<Text> = Text extends string ? Named<Text> : 'count' | Named<Text[keyof Text]>;

type Values<Names extends string> = {
  readonly [Name in Names]: Name extends 'count' ? number : string | number;
};

/** The arguments that a text takes after its key: none, or a value for each placeholder. */
export type TextValues<Text> = [Placeholder<Text>] extends [never] ? [] : [values: Values<Placeholder<Text>>];

/** A sentence in which every one of the placeholders occurs. */
type Holding<Names> = string &
  ((Names extends string ? (sentence: `${string}{${Names}}${string}`) => void : never) extends (
    sentence: infer Sentence,
  ) => void
    ? Sentence
    : never);

type Forms<Names> = Readonly<
  Partial<Record<Intl.LDMLPluralRule, Holding<Exclude<Names, 'count'>>>> & { other: Holding<Names> }
>;

/** The translation of a text: a sentence with the same placeholders, or, where it counts, the plural forms of the language. */
type Translated<Text> =
  | Holding<Placeholder<Text>>
  | ('count' extends Placeholder<Text> ? Forms<Placeholder<Text>> : never);

/** The texts of a catalogue in another language. Those left out stay English. */
export type Translation<Texts extends Phrases> = { readonly [Key in keyof Texts]?: Translated<Texts[Key]> };
