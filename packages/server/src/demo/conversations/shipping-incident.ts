import type { DemoMessage } from './types.ts';

export const shippingIncident: readonly DemoMessage[] = [
  {
    by: 'tomasz',
    minutesAgo: 13230,
    text: 'Release train for the next ten days: 2.9.4 (map drops), 2.9.5 (whatever we break with 2.9.4), then **3.0** the day before the Heron. Freeze is 24 hours before that. I will be polite but I will be a wall.',
    reactions: { check: ['priya', 'ana', 'sam', 'kiri'], haha: ['omar'] },
  },
  { by: 'priya', minutesAgo: 13228, text: 'Polite wall. Noted.' },
  {
    by: 'omar',
    minutesAgo: 9649,
    text: "@Priya Raman @Tomasz Wrona something is wrong with unlocks. Station 3 and 11: riders type the code, the lock says no. I'm standing at 11 with a very patient lady.",
    mentions: ['priya', 'tomasz'],
    reactions: { eyes: ['priya', 'tomasz', 'ana'] },
  },
  { by: 'priya', minutesAgo: 9648, text: 'On it. Is it all codes or some?' },
  { by: 'omar', minutesAgo: 9645, text: 'Some. Hers is 0417. The man before her had 5530 and left happily.' },
  {
    by: 'tomasz',
    minutesAgo: 9644,
    text: 'Awake. Looking at the lock service. Rate of refused codes went from 0.2 % to 9.8 % a quarter of an hour ago.',
  },
  {
    by: 'priya',
    minutesAgo: 9642,
    text: "9.8 %… that's about one in ten. What is one in ten about a four-digit code?",
  },
  {
    key: 'zero',
    by: 'kiri',
    minutesAgo: 9641,
    text: 'Codes that start with a zero?',
    reactions: { wow: ['priya', 'tomasz', 'omar'], fire: ['ana'] },
  },
  { by: 'priya', minutesAgo: 9640, quote: 'zero', text: 'KIRI.' },
  {
    by: 'tomasz',
    minutesAgo: 9637,
    text: 'Confirmed: every refused code begins with 0. Something turns them into numbers. 0417 becomes 417 and the lock wants four digits.',
  },
  {
    by: 'priya',
    minutesAgo: 9634,
    text: "Found it. From this evening's config tool change, not the app:\n\n```\n- code: row.code,\n+ code: Number(row.code),\n```\n\nSomebody wanted the column to sort nicely. That somebody is me, I am somebody.",
    reactions: { love: ['omar', 'ana', 'tomasz', 'kiri'] },
  },
  {
    by: 'ana',
    minutesAgo: 9632,
    text: 'Thank you for finding it, somebody. What do the people at the stations need in the meantime?',
    reactions: { love: ['priya'] },
  },
  {
    by: 'omar',
    minutesAgo: 9631,
    text: 'I can open by hand at 11. For the rest: tell them to scan instead of type, scanning works.',
  },
  {
    by: 'leo',
    minutesAgo: 9630,
    text: 'Banner is live in the app in five languages: "Code begins with 0? Scan the bike instead, and the ride is on us."',
    reactions: { thanks: ['ana', 'priya', 'omar'], check: ['tomasz'] },
  },
  { by: 'tomasz', minutesAgo: 9627, text: 'Revert is deploying. 3 minutes.' },
  { by: 'tomasz', minutesAgo: 9623, text: 'Deployed. Refused codes are falling: 6 %, 2 %, 0.4 %.' },
  {
    by: 'omar',
    minutesAgo: 9620,
    text: 'The lady at 11 has a bike. She says thank you, and that the young people at this company work too late.',
    reactions: { love: ['priya', 'tomasz', 'ana', 'leo', 'kiri'], haha: ['sam'] },
  },
  { by: 'priya', minutesAgo: 9619, text: 'She is right on both counts' },
  {
    by: 'tomasz',
    minutesAgo: 9613,
    text: '0.2 %. Back to normal. 47 minutes from the first refused code to green. Calling it over. Go to bed, everybody. I mean it.',
    reactions: { party: ['omar', 'leo', 'kiri', 'ana'], thanks: ['priya'] },
  },
];
