/** Suggested times, in the time zone of the device. */

const minute = 60_000;

const morningAfter = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9);

export type WhenChoice = { id: 'in20' | 'in60' | 'tomorrow' | 'nextWeek'; at: Date };

export const whenChoices = (now: Date): readonly WhenChoice[] => [
  { id: 'in20', at: new Date(now.getTime() + 20 * minute) },
  { id: 'in60', at: new Date(now.getTime() + 60 * minute) },
  { id: 'tomorrow', at: morningAfter(now, 1) },
  { id: 'nextWeek', at: morningAfter(now, (8 - now.getDay()) % 7 || 7) },
];

const two = (value: number): string => String(value).padStart(2, '0');

/** A time as the value of `<input type="datetime-local">`. */
export const toLocalInput = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

export const fromLocalInput = (text: string): Date | undefined => {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? undefined : at;
};

/** The first value of the field: the next full hour but one. */
export const suggestedTime = (now: Date): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 2);
