import type { DemoMessage } from './types.ts';

export const boPriya: readonly DemoMessage[] = [
  { by: 'priya', minutesAgo: 7430, text: "Feel the click in 2.9.5 and tell me it isn't like your latch" },
  {
    by: 'bo',
    minutesAgo: 7428,
    text: "I felt it. I took my glove off to feel it again. It's the same. How did you do it?",
  },
  {
    key: 'tin',
    by: 'priya',
    minutesAgo: 7427,
    text: 'Yuki folded a biscuit tin next to the microphone and I copied the curve',
  },
  {
    by: 'bo',
    minutesAgo: 7426,
    quote: 'tin',
    text: 'So in the end all of our technology is biscuits',
    reactions: { haha: ['priya'] },
  },
  {
    by: 'bo',
    minutesAgo: 4695,
    text: "My nephew wants to learn programming. He's eleven. Where does one start?",
  },
  { by: 'priya', minutesAgo: 4694, text: 'With something that annoys him. What annoys him?' },
  { by: 'bo', minutesAgo: 4692, text: 'His sister' },
  {
    key: 'bell',
    by: 'priya',
    minutesAgo: 4691,
    text: "Then a bell that rings when his door opens. Sensor, board, twenty lines:\n\n```\nwhile True:\n    if door.is_open():\n        bell.ring()\n    sleep(0.2)\n```\n\nI have a spare board, I'll post it to you.",
    reactions: { love: ['bo'] },
  },
  {
    by: 'bo',
    minutesAgo: 4690,
    quote: 'bell',
    text: 'You will be responsible for a war. Thank you.',
    reactions: { haha: ['priya'] },
  },
  {
    by: 'bo',
    minutesAgo: 1405,
    text: 'The board came. The war has begun. The sister has found the battery.',
    reactions: { haha: ['priya'] },
  },
  {
    by: 'priya',
    minutesAgo: 1404,
    text: "She's the engineer, then. Send her a board as well.",
    reactions: { fire: ['bo'] },
  },
  {
    by: 'priya',
    minutesAgo: 24,
    text: 'FOUR FIFTY-EIGHT, Bo!! I had the timer!! I have never been so proud of a number',
    reactions: { love: ['bo'] },
  },
  { by: 'bo', minutesAgo: 19, text: 'I left out the whole chapter about bottom brackets' },
  { by: 'priya', minutesAgo: 18, text: 'I noticed. It was brave.', reactions: { haha: ['bo'] } },
  {
    key: 'niece',
    by: 'bo',
    minutesAgo: 10,
    text: "My niece watched. She asks if the lady who made the click is looking for an apprentice. She's nine.",
  },
  {
    by: 'priya',
    minutesAgo: 8,
    quote: 'niece',
    text: 'Tell her yes, in nine years, and every school holiday until then 💛',
    reactions: { love: ['bo'] },
  },
];
