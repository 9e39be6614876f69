import { icon } from '../../ui/icons.tsx';

export const IconBroken = icon(
  <path d="M4.5 4h11a1 1 0 0 1 1 1v5.2L13.8 12l-2.6-2-2.6 2.4-2.4-1.8L3.5 13V5a1 1 0 0 1 1-1Zm-1 11.2V15l2.7-1.9 2.4 1.8 2.6-2.4 2.6 2 2.7-1.8V15a1 1 0 0 1-1 1h-11" />,
);
export const IconDownload = icon(<path d="M10 3.5v9m-3.8-3.6L10 12.6l3.8-3.7M4 15.8h12" />);
export const IconForward = icon(<path d="M7.5 4.5 13 10l-5.5 5.5" />);
export const IconGoTo = icon(
  <path d="M4 4.5h12a1 1 0 0 1 1 1v7.4a1 1 0 0 1-1 1H9.6L6 16.8v-2.9H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1Zm3 4.7h6m-2.4-2.4L13 9.2l-2.4 2.4" />,
);
export const IconMic = icon(
  <path d="M10 3a2.3 2.3 0 0 0-2.3 2.3v4.2a2.3 2.3 0 0 0 4.6 0V5.3A2.3 2.3 0 0 0 10 3ZM5 9.6a5 5 0 0 0 10 0M10 14.6V17" />,
);
export const IconPause = icon(<path d="M7 5.4v9.2M13 5.4v9.2" strokeWidth="2.4" />);
export const IconPlay = icon(
  <path d="M7.2 4.8v10.4l8-5.2-8-5.2Z" fill="currentColor" strokeLinejoin="round" />,
);
export const IconSheet = icon(
  <path d="M6 3h5.5L15 6.5V16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm1.5 6.5h5m-5 3.5h5M10 9.5V15" />,
);
export const IconPage = icon(
  <path d="M6 3h5.5L15 6.5V16a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm5 .2V7h3.8M7.6 10.2h4.8m-4.8 3h3" />,
);
export const IconArchive = icon(
  <path d="M6 3h8a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm4 .4v.1m0 2.5v.1m0 2.5v.1M9 12h2v2.4H9V12Z" />,
);
export const IconCode = icon(<path d="m7 6.5-3.5 3.5L7 13.5m6-7 3.5 3.5-3.5 3.5M11.4 5l-2.8 10" />);
export const IconSound = icon(
  <path d="M7.8 14.2V5.4l7-1.6v8.6M7.8 14.2a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0Zm7-1.8a1.9 1.9 0 1 1-3.8 0 1.9 1.9 0 0 1 3.8 0Z" />,
);
export const IconFilm = icon(
  <path d="M4.5 4.5h11a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Zm4 3v5l4-2.5-4-2.5Z" />,
);
export const IconZoomIn = icon(
  <path d="M9 3.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 9 3.8Zm3.8 9 3.6 3.6M9 6.8v4.4M6.8 9h4.4" />,
);
export const IconZoomOut = icon(
  <path d="M9 3.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 9 3.8Zm3.8 9 3.6 3.6M6.8 9h4.4" />,
);
