import { icon } from '../../../ui/icons.tsx';

export const IconMicrophone = icon(
  <path d="M10 3a2.4 2.4 0 0 0-2.4 2.4v4a2.4 2.4 0 0 0 4.8 0v-4A2.4 2.4 0 0 0 10 3ZM4.9 9.4a5.1 5.1 0 0 0 10.2 0M10 14.5V17" />,
);
export const IconPlayVoice = icon(<path d="M6.8 4.6v10.8l8.6-5.4-8.6-5.4Z" fill="currentColor" />);
export const IconPauseVoice = icon(<path d="M7 5v10M13 5v10" strokeWidth="2.6" />);
export const IconStopVoice = icon(
  <path d="M6 6h8v8H6z" fill="currentColor" strokeWidth="2" strokeLinejoin="round" />,
);
