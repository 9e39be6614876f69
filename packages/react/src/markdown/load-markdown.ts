import { LateMarkdown } from './message-text.tsx';
import { LatePreview } from './preview-text.tsx';

/** Loads the reader of marks before the first message is drawn, which would show them as they were typed and be drawn a second time. */
export const loadMarkdown = async (): Promise<void> => {
  await Promise.all([LateMarkdown.preload(), LatePreview.preload()]);
};
