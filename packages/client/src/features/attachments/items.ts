import type { Attachment, Upload, UploadRules } from '@parley/protocol';
import { texts } from '@parley/protocol/errors';
import type { UploadSource } from './upload-file.ts';

export type UploadState = 'pending' | 'uploading' | 'finished' | 'failed' | 'blocked';

/** One file on its way into a message. */
export type UploadItem = {
  id: string;
  /** Undefined of what was stored before, by a draft or the message that is being edited. */
  file: UploadSource | undefined;
  name: string;
  size: number;
  /** The type that the browser gives it; the server decides by the bytes. */
  mimeType: string;
  state: UploadState;
  /** 0 to 1. */
  progress: number;
  /** The message to show when it failed or was blocked. */
  notice: string | undefined;
  error: unknown;
  upload: Upload | undefined;
  /** The stored file, once it is uploaded. */
  attachment: Attachment | undefined;
  /** The description of an image, for those who cannot see it. */
  alt: string | undefined;
};

/** The file is over what the server takes: trying again does not help. */
export class UploadLimitError extends RangeError {
  override readonly name = 'UploadLimitError';
  readonly limit: 'bytes' | 'files';
  readonly most: number;
  constructor(limit: 'bytes' | 'files', most: number) {
    super(
      limit === 'bytes'
        ? `A file can have at most ${most} bytes`
        : `A message can have at most ${most} files`,
    );
    this.limit = limit;
    this.most = most;
  }
}

/** The page was closed before the file was stored: it has to be chosen again. */
export class UploadCutOffError extends Error {
  override readonly name = 'UploadCutOffError';
  constructor() {
    super('The upload was cut off');
  }
}

export type UploadsState = { items: readonly UploadItem[] };

const raster = /^image\/(jpeg|png|gif|webp|avif)$/;
export const kindOf = (mimeType: string): 'image' | 'file' => (raster.test(mimeType) ? 'image' : 'file');

/** Whether the upload has not ended yet. */
export const isRunning = ({ state }: UploadItem): boolean => state === 'pending' || state === 'uploading';
/** Whether a failed upload is worth another try: what is blocked or too large stays so, and what was cut off has to be chosen again. */
export const canRetry = ({ state, error, file }: UploadItem): boolean =>
  state === 'failed' && file !== undefined && !(error instanceof UploadLimitError);

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

/** The attachments of a message from the uploads that are done. */
export const selectAttachments = ({ items }: UploadsState): Attachment[] =>
  items.flatMap(({ attachment, alt }) => (attachment ? [{ ...attachment, ...(alt && { alt }) }] : []));

/** A file that is not stored yet, as a message shows it that waits for it. */
export const toPlaceholder = ({ id, name, size, mimeType }: UploadItem): Attachment => ({
  ...{ type: 'file', title: name, file_size: size, mime_type: mimeType },
  ...{ state: 'uploading', upload_id: id },
});

/** Whether an attachment stands for a file that is not stored yet. */
export const isPlaceholder = (attachment: Attachment): boolean => 'upload_id' in attachment;

/** The URL of the file of an attachment. */
export const urlOf = ({ asset_url, image_url }: Attachment): string | undefined => asset_url ?? image_url;

const isBlockedBy = (entry: string, name: string, mimeType: string): boolean => {
  if (entry.startsWith('.')) return name.toLowerCase().endsWith(entry);
  return entry.endsWith('/*') ? mimeType.startsWith(entry.slice(0, -1)) : mimeType === entry;
};

export const limitRefusal = (
  limit: 'bytes' | 'files',
  most: number,
): Pick<UploadItem, 'state' | 'notice' | 'error'> => ({
  ...{ state: 'failed', notice: texts.uploadFailed },
  error: new UploadLimitError(limit, most),
});

/** Refusals that are known before a byte is sent. */
export const refusalOf = (
  item: Pick<UploadItem, 'name' | 'size' | 'mimeType'>,
  rules: Pick<UploadRules, 'file_bytes' | 'blocked'>,
): Pick<UploadItem, 'state' | 'notice' | 'error'> | undefined => {
  if (rules.blocked.some((entry) => isBlockedBy(entry, item.name, item.mimeType)))
    return { state: 'blocked', notice: texts.uploadBlocked, error: undefined };
  if (item.size <= rules.file_bytes) return undefined;
  return limitRefusal('bytes', rules.file_bytes);
};
