type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The keys of an object that have a value: spread over another object they replace only what was given. */
export const defined = <T extends object>(given: T): Defined<T> =>
  // `Object.fromEntries` has lost the type of each key.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>;
