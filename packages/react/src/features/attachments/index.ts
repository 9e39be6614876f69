/** The entry `@parley/react/attachments`: loaded when somebody opens the shared media of a conversation. */

export { IconMedia } from '../../ui/icon-media.tsx';
export { Lightbox, type LightboxProps } from './lightbox.tsx';
export type { LightboxItem } from './lightbox-stage.tsx';
export { MediaPanel, type MediaPanelProps } from './media-panel.tsx';
export { mediaTexts } from './media-texts.ts';
