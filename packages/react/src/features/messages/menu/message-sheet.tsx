import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { MessageSheetProps } from './message-sheet-popup.tsx';

export type { MessageSheetProps };

/** The toolbar and menu of a message for fingers: opened by a long press. */
export const MessageSheet = lazyPart<MessageSheetProps>(
  async () => (await import('./message-sheet-popup.tsx')).MessageSheetPopup,
);
