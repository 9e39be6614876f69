/** Joins the class names that are there. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

/** Marks an outermost element of the kit, so that the base styles reach it and its content. */
export const kitRoot = 'parley';
