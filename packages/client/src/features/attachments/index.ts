/** The entry `@parley/client/attachments`: uploads, addresses of files, and the files of a channel. */
export {
  type ChannelMedia,
  type ChannelMediaHandle,
  type ChannelMediaState,
  channelMedia,
  type MediaItem,
  type MediaKind,
  mediaIn,
} from './channel-media.ts';
export { type FileUrls, fileUrls } from './file-urls.ts';
export {
  canRetry,
  isPlaceholder,
  isRunning,
  selectAttachments,
  selectProgress,
  selectSendRefusal,
  toAttachment,
  toPlaceholder,
  UploadCutOffError,
  type UploadItem,
  UploadLimitError,
  type UploadState,
  type UploadsState,
  urlOf,
} from './items.ts';
export type { FileReply, FileRequest, SendFile } from './send-file.ts';
export type { UploadFunction, UploadRequest, UploadSource } from './upload-file.ts';
export { type Uploads, type UploadsHandle, type UploadsOptions, uploads } from './uploads.ts';
