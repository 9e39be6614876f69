/** Makes a value when it is first needed: a formatter takes as long as drawing a message, and the first screen needs few of them. */
export const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
