import type { Attachment, MessageInput, ParleyClient } from '@parley/client';
import { toAttachment, type UploadItem, uploads as uploadsFeature } from '@parley/client/attachments';
import type { Clip } from './recorder.ts';

export type ClipSending = {
  cid: string;
  clip: Clip;
  /** The quote and the thread that it answers. */
  message: MessageInput;
  onProgress: (done: number) => void;
  signal: AbortSignal;
};

const endings: Readonly<Record<string, string>> = { 'audio/mp4': 'm4a', 'audio/ogg': 'ogg' };

const upload = (client: ParleyClient, sending: ClipSending): Promise<Attachment> =>
  new Promise((resolve, reject) => {
    const { cid, clip, onProgress, signal } = sending;
    const { blob, mimeType } = clip;
    const uploads = client.feature(uploadsFeature).create({ cid, maxFiles: 1 });
    const settle = (item: UploadItem | undefined) => {
      onProgress(item?.progress ?? 0);
      const stored = item?.upload;
      if (stored) return end(() => resolve(toAttachment(stored)));
      if (item?.notice !== undefined) end(() => reject(new Error(item.notice)));
    };
    const stopListening = uploads.subscribe(() => settle(uploads.get().items[0]));
    const abort = () => {
      const [item] = uploads.get().items;
      if (item) uploads.delete(item.id);
      end(() => reject(signal.reason));
    };
    const end = (settlePromise: () => void) => {
      stopListening();
      signal.removeEventListener('abort', abort);
      uploads.stop();
      settlePromise();
    };
    signal.addEventListener('abort', abort);
    const name = `voice-message.${endings[mimeType] ?? 'webm'}`;
    uploads.add([new File([blob], name, { type: mimeType })]);
  });

/** Stores the recording and sends it. A message that is refused afterwards stays in the list with it, to be tried again. */
export const sendClip = async (client: ParleyClient, sending: ClipSending): Promise<void> => {
  const { cid, clip, message, signal } = sending;
  const stored = await upload(client, sending);
  if (signal.aborted) return;
  const attachment: Attachment = {
    ...stored,
    type: 'voiceRecording',
    // A file that a browser records live does not contain its own length.
    duration: stored.duration ?? Math.round(clip.seconds * 100) / 100,
    waveform_data: clip.waveform,
  };
  client.messages.send(cid, { ...message, text: '', attachments: [attachment] }).catch(() => {});
};
