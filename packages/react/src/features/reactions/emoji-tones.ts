const key = 'parley-emoji-tone';

/** The tones of skin from none to darkest, as modifiers that follow an emoji of a person. */
export const emojiTones = ['', '\u{1f3fb}', '\u{1f3fc}', '\u{1f3fd}', '\u{1f3fe}', '\u{1f3ff}'] as const;
export type EmojiTone = (typeof emojiTones)[number];

const isTone = (value: string | null): value is EmojiTone => emojiTones.some((tone) => tone === value);

/** The tone chosen last on this device. A browser without storage has none. */
export const emojiTone = (): EmojiTone => {
  try {
    const kept = localStorage.getItem(key);
    return isTone(kept) ? kept : '';
  } catch {
    return '';
  }
};

export const rememberTone = (tone: EmojiTone): void => {
  try {
    localStorage.setItem(key, tone);
  } catch {
    // Storage may be full or forbidden; the tone was chosen all the same.
  }
};

/** The emoji in a tone, where it can have one. A family has none: fonts would draw its members one beside the other. */
export const withTone = (emoji: string, tone: EmojiTone): string => {
  if (tone === '' || !/\p{Emoji_Modifier_Base}/u.test(emoji)) return emoji;
  const toned = emoji.replace(/(\p{Emoji_Modifier_Base})\ufe0f?/gu, `$1${tone}`);
  return /^\p{RGI_Emoji}$/v.test(toned) ? toned : emoji;
};

export const withoutTone = (emoji: string): string => emoji.replace(/\p{Emoji_Modifier}/gu, '');
