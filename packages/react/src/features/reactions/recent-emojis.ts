const key = 'parley-emojis';
const most = 20;

/** The emojis used last on this device, newest first. A browser without storage has none. */
export const recentEmojis = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
};

export const rememberEmoji = (emoji: string): void => {
  try {
    const others = recentEmojis().filter((one) => one !== emoji);
    localStorage.setItem(key, JSON.stringify([emoji, ...others].slice(0, most)));
  } catch {
    // Storage may be full or forbidden; the emoji was used all the same.
  }
};
