import type { Attachment, Upload, UploadRules } from '@parley/protocol';
import { texts } from '@parley/protocol/errors';
import type { UploadSource } from './upload-file.ts';

export type UploadState = 'pending' | 'uploading' | 'finished' | 'failed' | 'blocked';

/** One file on its way into a message. */
export type UploadItem = {
  id: string;
  file: UploadSource;
  name: string;
  size: number;
  /** What the browser takes it for; the server decides by the bytes. */
  mimeType: string;
  state: UploadState;
  /** 0 to 1. */
  progress: number;
  /** What to tell the person when it failed or was blocked. */
  notice: string | undefined;
  error: unknown;
  upload: Upload | undefined;
};

export type UploadsState = { items: readonly UploadItem[] };

const raster = /^image\/(jpeg|png|gif|webp|avif)$/;
export const kindOf = (mimeType: string): 'image' | 'file' => (raster.test(mimeType) ? 'image' : 'file');

export const isRunning = ({ state }: UploadItem): boolean => state === 'pending' || state === 'uploading';
/** Whether a failed upload is worth another try: what is blocked stays blocked. */
export const canRetry = ({ state }: UploadItem): boolean => state === 'failed';

/** Why a message may not be sent yet; undefined when it may. */
export const selectSendRefusal = ({ items }: UploadsState): string | undefined =>
  items.some(isRunning) ? texts.uploadsPending : undefined;

/** How far all of them are, by bytes. */
export const selectProgress = ({ items }: UploadsState): number => {
  const total = items.reduce((sum, { size }) => sum + size, 0);
  return total === 0 ? 1 : items.reduce((sum, { size, progress }) => sum + size * progress, 0) / total;
};

/** The attachment of an upload, by what the server found it to be. */
export const toAttachment = (upload: Upload): Attachment => {
  const { file, thumb_url, name, ...facts } = upload;
  const [family] = facts.mime_type.split('/');
  const isImage = family === 'image' && thumb_url !== undefined;
  return {
    type: isImage ? 'image' : family === 'video' || family === 'audio' ? family : 'file',
    title: name,
    ...(isImage ? { image_url: file } : { asset_url: file }),
    ...(thumb_url === undefined ? {} : { thumb_url }),
    ...facts,
  };
};

export const selectAttachments = ({ items }: UploadsState): Attachment[] =>
  items.flatMap(({ upload }) => (upload ? [toAttachment(upload)] : []));

const isBlockedBy = (entry: string, name: string, mimeType: string): boolean => {
  if (entry.startsWith('.')) return name.toLowerCase().endsWith(entry);
  return entry.endsWith('/*') ? mimeType.startsWith(entry.slice(0, -1)) : mimeType === entry;
};

/** What can be told before a byte is sent. */
export const refusalOf = (
  item: Pick<UploadItem, 'name' | 'size' | 'mimeType'>,
  rules: Pick<UploadRules, 'file_bytes' | 'blocked'>,
): Pick<UploadItem, 'state' | 'notice' | 'error'> | undefined => {
  if (rules.blocked.some((entry) => isBlockedBy(entry, item.name, item.mimeType)))
    return { state: 'blocked', notice: texts.uploadBlocked, error: undefined };
  if (item.size <= rules.file_bytes) return undefined;
  const error = new RangeError(`The file has ${item.size} bytes: at most ${rules.file_bytes} are taken`);
  return { state: 'failed', notice: texts.uploadFailed, error };
};
