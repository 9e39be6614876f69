import type { commonTexts } from './common-texts.ts';
import { lazily } from './lazily.ts';
import type { TextOf } from './text.ts';

export type Instant = string | number | Date;

export type Format = {
  locale: string;
  /** The time of day: 10:42. */
  time: (at: Instant) => string;
  /** The day: Today, Yesterday, Monday, 3 March, 3 March 2023. */
  day: (at: Instant) => string;
  /** The shortest that is clear in a list: 10:42, Yesterday, Mon, 3 Mar, 03/03/23. */
  short: (at: Instant) => string;
  /** Day and time in full, for tooltips and screen readers. */
  full: (at: Instant) => string;
  /** Names in a row: Ana, Bo and Cy. */
  list: (names: readonly string[]) => string;
};

export type FormatOptions = {
  locale: string;
  timeZone: string | undefined;
  now: () => number;
  text: TextOf<typeof commonTexts>;
};

const DAY = 86_400_000;

export function createFormat({ locale, timeZone, now, text }: FormatOptions): Format {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const made = lazily(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
    return (at: Date | number) => made().format(at);
  };
  const time = formatter({ timeStyle: 'short' });
  const full = formatter({ dateStyle: 'full', timeStyle: 'short' });
  const calendar = formatter({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const longFormats = [
    formatter({ weekday: 'long' }),
    formatter({ day: 'numeric', month: 'long' }),
    formatter({ day: 'numeric', month: 'long', year: 'numeric' }),
  ] as const;
  const shortFormats = [
    formatter({ weekday: 'short' }),
    formatter({ day: 'numeric', month: 'short' }),
    formatter({ day: 'numeric', month: '2-digit', year: '2-digit' }),
  ] as const;
  const list = lazily(() => new Intl.ListFormat(locale));

  const age = (at: Date) => {
    const today = now();
    if (calendar(at) === calendar(today)) return 'today';
    if (calendar(at) === calendar(today - DAY)) return 'yesterday';
    const days = Math.abs(today - at.getTime()) / DAY;
    return days < 6 ? 'week' : days < 300 ? 'year' : 'older';
  };

  const dated = (at: Date, [week, year, older]: typeof longFormats) => {
    const when = age(at);
    if (when === 'yesterday') return text('yesterday');
    return (when === 'week' ? week : when === 'year' ? year : older)(at);
  };

  return {
    locale,
    time: (at) => time(new Date(at)),
    day: (at) => (age(new Date(at)) === 'today' ? text('today') : dated(new Date(at), longFormats)),
    short: (at) => (age(new Date(at)) === 'today' ? time(new Date(at)) : dated(new Date(at), shortFormats)),
    full: (at) => full(new Date(at)),
    list: (names) => list().format(names),
  };
}
