/** The entry `@parley/react/media`: loaded when somebody looks at what was shared in a conversation. */
export { Lightbox, type LightboxProps } from './lightbox.tsx';
export type { LightboxItem } from './lightbox-stage.tsx';
export { IconMedia } from './media-icons.tsx';
export { MediaPanel, type MediaPanelProps } from './media-panel.tsx';
export { mediaTexts } from './media-texts.ts';
