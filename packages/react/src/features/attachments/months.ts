import type { MediaItem } from '@parley/client/attachments';

export type Month = { month: string; items: readonly MediaItem[] };

/** The items by the month of their message, newest first. */
export const monthsOf = (items: readonly MediaItem[], locale: string): readonly Month[] => {
  const named = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
  const months: { month: string; items: MediaItem[] }[] = [];
  for (const item of items) {
    const month = named.format(new Date(item.message.created_at));
    const last = months.at(-1);
    if (last?.month === month) last.items.push(item);
    else months.push({ month, items: [item] });
  }
  return months;
};
