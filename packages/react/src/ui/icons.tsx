import type { ReactNode } from 'react';

export type IconProps = { size?: number };

/** An icon in the style of the kit, drawn on 20 × 20 units. */
export function icon(paths: ReactNode) {
  return function Icon({ size = 20 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {paths}
      </svg>
    );
  };
}

export const IconBack = icon(<path data-mirrored="" d="M12.5 4.5 7 10l5.5 5.5" />);
export const IconCheck = icon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />);
export const IconChecks = icon(<path d="m1.8 10.8 3.2 3.2 6.6-7.4M9.6 13.6l.6.4 7.6-7.4" />);
export const IconBookmark = icon(<path d="M6 3.5h8a1 1 0 0 1 1 1v12l-5-3.4-5 3.4v-12a1 1 0 0 1 1-1Z" />);
export const IconClip = icon(
  <path d="m15.6 9.2-5.8 5.8a3.4 3.4 0 0 1-4.8-4.8l6.2-6.2a2.3 2.3 0 0 1 3.2 3.2l-6.1 6.1a1.1 1.1 0 0 1-1.6-1.6l5.4-5.4" />,
);
export const IconClock = icon(<path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm0 3.2V10l2.4 1.6" />);
export const IconClose = icon(<path d="m5.5 5.5 9 9m0-9-9 9" />);
export const IconCopy = icon(
  <path d="M7.5 7.5v-3a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-3m-8-5h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z" />,
);
export const IconDown = icon(<path d="M10 4v11.5m-4.8-4.7L10 15.6l4.8-4.8" />);
export const IconEdit = icon(
  <path d="m12.2 4.8 3 3M4 16l.7-3.4 8-8a1.6 1.6 0 0 1 2.3 0l.4.4a1.6 1.6 0 0 1 0 2.3l-8 8L4 16Z" />,
);
export const IconEye = icon(
  <>
    <path d="M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5Z" />
    <circle cx="10" cy="10" r="2.2" />
  </>,
);
export const IconHash = icon(<path d="M7.8 3.5 6.4 16.5M13.6 3.5l-1.4 13M4 7.4h12.4M3.6 12.6H16" />);
export const IconInfo = icon(<path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm0 6.3v4M10 6.6v.1" />);
export const IconMore = icon(<path d="M4.8 10h.01M10 10h.01M15.2 10h.01" strokeWidth="2.6" />);
export const IconMuted = icon(
  <path d="M6.2 6.6c-.2.7-.3 1.4-.3 2.2v2.4L4.5 14h9.3M8 4.2a4.2 4.2 0 0 1 6.1 3.8v3.2M8.6 16.4c.8.5 2 .5 2.8 0M3.5 3.5l13 13" />,
);
export const IconLink = icon(
  <path d="M8.4 11.6a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1m1.5 2.8a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1-1" />,
);
export const IconLocation = icon(
  <path d="M10 17.2s-5.4-4.9-5.4-8.9a5.4 5.4 0 0 1 10.8 0c0 4-5.4 8.9-5.4 8.9Zm0-6.8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />,
);
export const IconPin = icon(
  <path d="m11.8 3.4 4.8 4.8-3.4 1-2.6 4.6-4.4-4.4 4.6-2.6 1-3.4ZM8.4 11.6 4 16" />,
);
export const IconPlus = icon(<path d="M10 4.2v11.6M4.2 10h11.6" />);
export const IconPoll = icon(<path d="M3.5 16.5h13M5.5 16V9.5M10 16V4M14.5 16v-4" strokeWidth="2" />);
export const IconReply = icon(<path data-mirrored="" d="M8 5 3.8 9.2 8 13.4M4 9.2h7.2a5 5 0 0 1 5 5v.8" />);
export const IconSearch = icon(<path d="M9 3.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 9 3.8Zm3.8 9 3.6 3.6" />);
export const IconSend = icon(<path d="M10 15.8V4.6m-5 5 5-5 5 5" strokeWidth="2" />);
export const IconSmile = icon(
  <path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm-3 8.4c.6 1.3 1.7 2 3 2s2.4-.7 3-2M7.6 8.2v.1m4.8-.1v.1" />,
);
export const IconSmilePlus = icon(
  <path d="M11.2 4.1a6.5 6.5 0 1 0 5.2 5.3M6.6 11.8c.6 1.2 1.6 1.8 2.8 1.8s2.3-.6 2.9-1.8M7.2 8.7v.1m4.4-.1v.1M16 2.4v4.4m-2.2-2.2h4.4" />,
);
export const IconThread = icon(
  <path d="M4 4.5h12a1 1 0 0 1 1 1v7.4a1 1 0 0 1-1 1H9.6L6 16.8v-2.9H4a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1Zm2.6 3.3h6.8M6.6 10.7h4.4" />,
);
export const IconTrash = icon(<path d="M4 6h12M8 6V4.4h4V6m-6.6 0 .6 9.6h8L14.6 6M8.4 9v4m3.2-4v4" />);
export const IconUp = icon(<path d="M10 16V4.5m-4.8 4.7L10 4.4l4.8 4.8" />);
export const IconUser = icon(
  <path d="M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.6 6.2c.6-2.4 2.8-3.9 5.6-3.9s5 1.5 5.6 3.9" />,
);
export const IconWarning = icon(<path d="M10 3.6 17 16H3l7-12.4Zm0 4.8v3.4m0 2.1v.1" />);
