import type { Attachment } from '@parley/client';
import type { TextOf } from '../i18n/text.ts';
import { kindOf } from './kinds.ts';
import type { attachmentTexts } from './texts.ts';

type Words = { sign: string; key: 'photoCount' | 'videoCount' | 'voiceCount' | 'audioCount' };

const words: Readonly<Record<string, Words>> = {
  image: { sign: '📷', key: 'photoCount' },
  video: { sign: '🎬', key: 'videoCount' },
  voice: { sign: '🎤', key: 'voiceCount' },
  audio: { sign: '🎵', key: 'audioCount' },
};

/** The attachments of a message without a text, in a few words: "Photo", "2 files", the name of a file. */
export const wordsOfAttachments = (
  attachments: readonly Attachment[],
  text: TextOf<typeof attachmentTexts>,
): string => {
  const [first] = attachments;
  if (!first) return '';
  const kinds = new Set(attachments.map(kindOf));
  const [kind = 'file'] = kinds;
  const count = attachments.length;
  if (kinds.size > 1) {
    const isSeen = [...kinds].every((other) => other === 'image' || other === 'video');
    return isSeen ? `📷 ${text('mediaCount', { count })}` : `📎 ${text('fileCount', { count })}`;
  }
  if (kind === 'link') return first.title ?? first.title_link ?? first.og_scrape_url ?? '';
  const entry = words[kind];
  const name = count === 1 && (kind === 'file' || kind === 'audio') ? first.title : undefined;
  return `${entry?.sign ?? '📎'} ${name ?? text(entry?.key ?? 'fileCount', { count })}`;
};
