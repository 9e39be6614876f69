import type { DemoMessage } from './types.ts';

export const boYuki: readonly DemoMessage[] = [
  { by: 'yuki', minutesAgo: 13350, text: 'おはよう、Bo。 The latch drawing is in your tray, with the tin.' },
  {
    by: 'bo',
    minutesAgo: 13348,
    text: 'Ohayō! (I practise.) I cut the first one before lunch.',
    reactions: { love: ['yuki'] },
  },
  {
    by: 'yuki',
    minutesAgo: 13347,
    text: '上手ですね。Very good. Now the small "u" is almost silent.',
    reactions: { like: ['bo'] },
  },
  {
    by: 'bo',
    minutesAgo: 13182,
    text: 'First latch is cut. It closes with one finger. My finger, though, so maybe two of yours.',
  },
  {
    by: 'yuki',
    minutesAgo: 13179,
    text: "One of mine. I've tried it while you were getting coffee. 😊",
    reactions: { haha: ['bo'] },
  },
  { by: 'bo', minutesAgo: 8940, text: 'How do you say "it is not broken, it has character" in Japanese?' },
  {
    key: 'aji',
    by: 'yuki',
    minutesAgo: 8938,
    text: '味がある。"Aji ga aru": it has flavour.',
    reactions: { love: ['bo'] },
  },
  {
    by: 'bo',
    minutesAgo: 8937,
    quote: 'aji',
    text: "I'll say it about everything that I own",
    reactions: { haha: ['yuki'] },
  },
  {
    by: 'yuki',
    minutesAgo: 5910,
    text: 'The plants for the stream: a fern and a small pine. The pine is named after you because it also leans.',
    reactions: { haha: ['bo'] },
  },
  { by: 'bo', minutesAgo: 5907, text: 'To which side' },
  { by: 'yuki', minutesAgo: 5906, text: '左。Left.', reactions: { love: ['bo'] } },
  { by: 'bo', minutesAgo: 1415, text: 'When you draw tomorrow, where should I stand?' },
  {
    by: 'yuki',
    minutesAgo: 1414,
    text: "Where you always stand. I've been drawing around you for six years.",
    reactions: { love: ['bo'] },
  },
  { by: 'bo', minutesAgo: 18, text: 'The goose in the drawing has my jacket on. I saw it.' },
  { key: 'jacket', by: 'yuki', minutesAgo: 16, text: "Leo's jacket.", reactions: { haha: ['bo'] } },
  { by: 'bo', minutesAgo: 13, quote: 'jacket', text: '味がある', reactions: { love: ['yuki'] } },
  {
    by: 'yuki',
    minutesAgo: 9,
    text: '🥹 完璧な発音です、文字でも。Perfect pronunciation, even in writing.',
    reactions: { love: ['bo'] },
  },
];
