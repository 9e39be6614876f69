import { useEffect, useState } from 'react';
import { putItem } from '../session/put-item.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const shelfKey = 'parley.theme';

const loadTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(shelfKey)) ?? 'system';

/** Shows a theme and keeps it. One that finds no room is shown until the page is left. */
export const showTheme = (
  shelf: Pick<Storage, 'setItem'>,
  { dataset }: Pick<HTMLElement, 'dataset'>,
  theme: Theme,
): void => {
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  putItem(shelf, shelfKey, theme);
};

/** Kept in the browser; `system` leaves the choice to it. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void } {
  const [theme, setTheme] = useState(loadTheme);
  useEffect(() => {
    showTheme(localStorage, document.documentElement, theme);
  }, [theme]);
  return { theme, setTheme };
}
