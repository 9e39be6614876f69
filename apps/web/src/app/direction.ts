type WithTextInfo = Intl.Locale & {
  getTextInfo?: () => { direction: string };
  textInfo?: { direction: string };
};

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** The reading direction of a locale. */
export const directionOf = (tag: string): 'ltr' | 'rtl' => {
  const locale: WithTextInfo = new Intl.Locale(tag);
  const known = locale.getTextInfo?.().direction ?? locale.textInfo?.direction;
  if (known === 'rtl' || known === 'ltr') return known;
  return rightToLeft.has(locale.language) ? 'rtl' : 'ltr';
};

/** `?locale=` wins over the browser, so that a translation can be looked at. */
export const localeOf = (search: string, languages: readonly string[]): string => {
  const wanted = [new URLSearchParams(search).get('locale'), ...languages];
  return wanted.find((tag) => tag && isTag(tag)) ?? 'en';
};

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};
