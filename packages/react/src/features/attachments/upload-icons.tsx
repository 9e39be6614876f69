import { icon } from '../../ui/icons.tsx';

export const IconFile = icon(
  <path d="M5.5 2.8h6l3.5 3.5v10.2a.9.9 0 0 1-.9.9H5.5a.9.9 0 0 1-.9-.9V3.7a.9.9 0 0 1 .9-.9Zm5.8.2v3.5h3.6" />,
);
export const IconRetry = icon(<path d="M15.8 10a5.8 5.8 0 1 1-1.9-4.3l2 1.8m.1-3.7v3.8h-3.8" />);
