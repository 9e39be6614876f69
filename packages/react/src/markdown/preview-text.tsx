import { lazyPart } from '../ui/lazy-part.tsx';
import { isMarkdown } from './markdown-marks.ts';

export type PreviewTextProps = { text: string };

function AsTyped({ text }: PreviewTextProps) {
  return text;
}

// The reader of marks is loaded with the first text that needs it: until then the text is shown as it was typed.
export const LatePreview = lazyPart<PreviewTextProps>(
  async () => (await import('./preview.ts')).ExactPreview,
  {
    Waiting: AsTyped,
    Missing: AsTyped,
  },
);

/** A text in one line without its marks. Parts that are loaded late call `previewOf` themselves. */
export function PreviewText({ text }: PreviewTextProps) {
  return isMarkdown(text) ? <LatePreview text={text} /> : text;
}
