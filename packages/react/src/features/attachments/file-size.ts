const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** 840 bytes, 1.2 MB, 100 MB: by thousands of 1024, as file managers and the limits of the server count. */
export const fileSize = (bytes: number, locale: string): string => {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.max(1, Math.floor(Math.log(bytes) / Math.log(1024))));
  const value = bytes / 1024 ** power;
  return new Intl.NumberFormat(locale, {
    ...{ style: 'unit', unit: units[power] ?? 'byte', unitDisplay: power === 0 ? 'long' : 'short' },
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  }).format(value);
};
