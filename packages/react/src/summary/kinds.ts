import type { Attachment } from '@parley/client';

export type AttachmentKind = 'image' | 'video' | 'audio' | 'voice' | 'file' | 'link';

const byType: Readonly<Record<string, AttachmentKind>> = {
  video: 'video',
  audio: 'audio',
  voiceRecording: 'voice',
};

/** The kind of an attachment, by which it is shown; undefined for one that only the product that sent it knows. */
export const kindOf = ({ type, ...given }: Attachment): AttachmentKind | undefined => {
  if (given.og_scrape_url !== undefined) return 'link';
  if (given.asset_url !== undefined) return byType[type ?? ''] ?? 'file';
  if (given.image_url !== undefined) return 'image';
  return given.title_link === undefined ? undefined : 'link';
};

export type SortedAttachments = {
  images: readonly Attachment[];
  videos: readonly Attachment[];
  sounds: readonly Attachment[];
  files: readonly Attachment[];
  links: readonly Attachment[];
};

/** The attachments by kind, in the order in which a message shows them: pictures first, links last. */
export const sortAttachments = (attachments: readonly Attachment[]): SortedAttachments => {
  const of = (...kinds: AttachmentKind[]) =>
    attachments.filter((attachment) => kinds.some((kind) => kind === kindOf(attachment)));
  return {
    images: of('image'),
    videos: of('video'),
    sounds: of('audio', 'voice'),
    files: of('file'),
    links: of('link'),
  };
};

export const hasLinks = (attachments: readonly Attachment[]): boolean =>
  attachments.some((attachment) => kindOf(attachment) === 'link');

/** True when some attachment is shown above the text. */
export const hasFiles = (attachments: readonly Attachment[]): boolean =>
  attachments.some((attachment) => (kindOf(attachment) ?? 'link') !== 'link');
