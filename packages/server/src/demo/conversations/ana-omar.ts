import type { DemoMessage } from '../types.ts';

export const anaOmar: readonly DemoMessage[] = [
  { by: 'omar', minutesAgo: 11900, text: 'صباح الخير يا أنا! كيف التحضيرات؟', reactions: { like: ['ana'] } },
  {
    by: 'ana',
    minutesAgo: 11898,
    text: "صباح النور! (Copied from my notes, but with feeling.) Preparations are fine, I'm a bit behind on stations. How are yours?",
  },
  {
    key: 'nest',
    by: 'omar',
    minutesAgo: 11897,
    text: "Your Arabic is better than my station 9. It has a bird nest in the solar panel. I don't want to move it before the eggs.",
    reactions: { wow: ['ana'], love: ['ana'] },
  },
  {
    by: 'ana',
    minutesAgo: 11896,
    quote: 'nest',
    text: 'Then station 9 is closed for family reasons. Put that on the sign, exactly like that.',
    reactions: { love: ['omar'] },
  },
  {
    by: 'omar',
    minutesAgo: 7250,
    text: 'The eggs! Three small ones, very loud. People come to station 9 to look, then walk to station 10 to rent. Station 10 is up 40 %.',
    reactions: { fire: ['ana'] },
  },
  { by: 'ana', minutesAgo: 7249, text: "Kiri will think it's an anomaly. Tell Kiri it's birds." },
  {
    by: 'omar',
    minutesAgo: 7247,
    text: 'Kiri already asked. I said "it\'s birds". Kiri said "it was bread last time".',
    reactions: { haha: ['ana'] },
  },
  {
    by: 'omar',
    minutesAgo: 4515,
    text: 'أحتاج رأيك: هل أسافر إلى نيروبي لتركيب أول عشر محطات مع وانجيرو؟ ثلاثة أسابيع تقريبًا.',
  },
  {
    key: 'nairobi',
    by: 'ana',
    minutesAgo: 4514,
    text: 'I had to ask the translator, so slowly: three weeks in Nairobi, first ten stations, with Wanjiru? Yes. Do you *want* to?',
  },
  {
    by: 'omar',
    minutesAgo: 4511,
    quote: 'nairobi',
    text: 'نعم، كثيرًا. Very much. My mother has begun to cook for Kenya.',
    reactions: { haha: ['ana'], love: ['ana'] },
  },
  {
    by: 'omar',
    minutesAgo: 1270,
    edited: true,
    text: "All lights green. I've turned off my phone's alarm because I will be awake before it. Good luck tomorrow, my friend.",
    reactions: { love: ['ana'] },
  },
  {
    key: 'flew',
    by: 'omar',
    minutesAgo: 25,
    text: 'الطيور طارت اليوم! The small ones at station 9 flew today, all three, during the stream.',
    reactions: { party: ['ana'], love: ['ana'] },
  },
  { by: 'ana', minutesAgo: 21, text: "On launch day?! You're making this up." },
  {
    by: 'omar',
    minutesAgo: 19,
    text: "I've got the video. One of them landed on a saddle and looked at me. I think it wants to rent.",
    reactions: { haha: ['ana'] },
  },
  {
    by: 'ana',
    minutesAgo: 14,
    quote: 'flew',
    text: "Station 9 reopens tomorrow's-tomorrow, then. With a plaque.",
    reactions: { love: ['omar'] },
  },
  { by: 'omar', minutesAgo: 7, text: "تمام. I'll make the plaque. 🐦🐦🐦", reactions: { like: ['ana'] } },
];
