import { icon } from './icons.tsx';

export const IconMedia = icon(
  <path d="M4.5 4h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Zm-1 9.4 3.6-3.6 3.4 3.4 2.4-2.3 3.6 3.4M12.8 7.4v.1" />,
);
