export type SearchFilters = {
  /** A user id. */
  from?: string;
  /** A cid. */
  in?: string;
  /** Dates, such as 2026-01-31. */
  before?: string;
  after?: string;
  has?: readonly ('attachment' | 'link')[];
};

/** The parts of a typed search: words to look for, filters, and the filter that is still being typed. */
export type ParsedSearch = {
  words: string;
  filters: SearchFilters;
  open?: { key: 'from' | 'in'; text: string };
};

const day = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (text: string): boolean => day.test(text) && !Number.isNaN(Date.parse(text));
const token = /^(from|in|before|after|has):(.*)$/i;

const withFilter = (filters: SearchFilters, key: string, value: string): SearchFilters | undefined => {
  if (key === 'has') {
    const has = filters.has ?? [];
    if (value !== 'attachment' && value !== 'link') return undefined;
    return { ...filters, has: has.includes(value) ? has : [...has, value] };
  }
  if (key === 'from') return value === '' ? undefined : { ...filters, from: value };
  if (key === 'in') return value.includes(':') ? { ...filters, in: value } : undefined;
  return isDay(value) ? { ...filters, [key]: value } : undefined;
};

/** `from:bo in:messaging:team before:2026-01-31 has:link two words`. What is no filter is a word. */
export const parseSearch = (typed: string): ParsedSearch => {
  const words: string[] = [];
  let filters: SearchFilters = {};
  let open: ParsedSearch['open'];
  const parts = typed.split(/\s+/).filter((part) => part !== '');
  const isTyping = /\S$/.test(typed);
  parts.forEach((part, index) => {
    const [, key = '', value = ''] = token.exec(part) ?? [];
    const name = key.toLowerCase();
    if (name === '') words.push(part);
    else if (isTyping && index === parts.length - 1 && (name === 'from' || name === 'in'))
      open = { key: name, text: value };
    else {
      const next = withFilter(filters, name, value);
      if (next) filters = next;
      else if (value !== '') words.push(part);
    }
  });
  return { words: words.join(' '), filters, ...(open ? { open } : {}) };
};

/** The filter of `POST /search`; undefined when nothing narrows it. */
export const toFilter = (filters: SearchFilters, ownId: string | undefined): Record<string, unknown> => {
  const { from, before, after, has = [] } = filters;
  const bounds = {
    ...(before === undefined ? {} : { $lt: `${before}T00:00:00.000Z` }),
    ...(after === undefined ? {} : { $gte: `${after}T00:00:00.000Z` }),
  };
  return {
    ...(from === undefined ? {} : { user_id: from === 'me' && ownId !== undefined ? ownId : from }),
    ...(filters.in === undefined ? {} : { cid: filters.in }),
    ...(Object.keys(bounds).length === 0 ? {} : { created_at: bounds }),
    ...(has.includes('attachment') ? { has_attachment: true } : {}),
    ...(has.includes('link') ? { has_link: true } : {}),
  };
};
