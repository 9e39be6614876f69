import { useEffect, useState } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const shelfKey = 'parley.theme';

const loadTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(shelfKey)) ?? 'system';

/** Kept in the browser; `system` leaves the choice to it. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void } {
  const [theme, setTheme] = useState(loadTheme);
  useEffect(() => {
    localStorage.setItem(shelfKey, theme);
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return { theme, setTheme };
}
