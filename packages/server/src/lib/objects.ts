/** Whether a value from outside is an object with keys, and no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of a value from outside; undefined where the value is no object. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The keys of a constant table: it has those of its type and no others, which the compiler cannot know of objects in general. */
export const keysOf = <T extends object>(table: T): (keyof T)[] => Object.keys(table) as (keyof T)[];
