import { icon } from '../../../ui/icons.tsx';

export const IconMicrophone = icon(
  <path d="M10 3a2.4 2.4 0 0 0-2.4 2.4v4a2.4 2.4 0 0 0 4.8 0v-4A2.4 2.4 0 0 0 10 3ZM4.9 9.4a5.1 5.1 0 0 0 10.2 0M10 14.5V17" />,
);
