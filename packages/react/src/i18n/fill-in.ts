/** Puts values into the holes of a phrase that is loaded late: `fillIn('Remove {title}', { title })`. */
export const fillIn = (phrase: string, values: Readonly<Record<string, string | number>>): string =>
  phrase.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
