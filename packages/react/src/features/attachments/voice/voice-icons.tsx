import { icon } from '../../../ui/icons.tsx';

export const IconPlayVoice = icon(<path d="M6.8 4.6v10.8l8.6-5.4-8.6-5.4Z" fill="currentColor" />);
export const IconPauseVoice = icon(<path d="M7 5v10M13 5v10" strokeWidth="2.6" />);
export const IconStopVoice = icon(
  <path d="M6 6h8v8H6z" fill="currentColor" strokeWidth="2" strokeLinejoin="round" />,
);
