export type UnreadWay = {
  /** Goes to the first unread message; where the conversation is not there yet, as soon as it is. */
  go: () => void;
  /** Takes the way in the conversation at this path. Returns the function that takes it back. */
  set: (path: string, way: () => void) => () => void;
};

/** The way to the first unread message. A key that is pressed before it is known is kept for the path at which it was pressed. */
export const createUnreadWay = (pathNow: () => string): UnreadWay => {
  let known: { path: string; way: () => void } | undefined;
  let wanted: string | undefined;
  return {
    go: () => {
      if (known?.path === pathNow()) known.way();
      else wanted = pathNow();
    },
    set: (path, way) => {
      const own = { path, way };
      known = own;
      // A user who has gone elsewhere meanwhile stays there.
      if (wanted !== pathNow()) wanted = undefined;
      if (wanted === path) {
        wanted = undefined;
        way();
      }
      return () => {
        if (known === own) known = undefined;
      };
    },
  };
};
