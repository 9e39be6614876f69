import type { Attachment, ParleyClient, Readable, VisibleMessage } from '@parley/client';
import {
  isRunning,
  selectAttachments,
  selectSendRefusal,
  type UploadItem,
  type UploadSource,
  type UploadsHandle,
  uploads as uploadsFeature,
  urlOf,
} from '@parley/client/attachments';
import { type ComposerExtras, editKey } from '../composer/composer-extras.ts';
import { type DraftBox, draftKey, isSameFiles, typedIn } from '../drafts/draft-box.ts';
import { createPictures, shrink } from './pictures.ts';
import { uploadTexts } from './upload-texts.ts';
import type { Uploading } from './uploading.ts';

/** A new message of a channel or thread, or the edit of one. */
export type TrayPlace = {
  cid: string;
  parentId?: string | undefined;
  editing?: VisibleMessage | undefined;
};

/** Notified of failures, also after the composer has left the screen. */
export type TrayListener = {
  wait: string;
  onFailed(item: UploadItem): void;
  /** Called with the files for which there is no place beside the others. */
  onRefused(files: readonly UploadSource[], most: number): void;
};

export const silent: TrayListener = {
  wait: uploadTexts.english.wait,
  onFailed: () => {},
  onRefused: () => {},
};

export type Tray = Pick<UploadsHandle, 'get' | 'subscribe' | 'delete' | 'retry' | 'move' | 'describe'> & {
  add(files: Iterable<UploadSource>): void;
  /** Marks the tray as shown: it shows failures itself. Returns the function that ends it. */
  show(): () => void;
  /** Pictures of the files on this device, by the item's id. */
  pictures: Readable<ReadonlyMap<string, string>>;
  isBusy(): boolean;
  stop(): void;
};

const kinds = new Set(['image', 'video', 'audio', 'file']);

/** Files belong to the tray; link previews, voice messages and attachments that only a product knows do not. */
const isFile = (attachment: Attachment): boolean =>
  kinds.has(attachment.type ?? '') && !attachment.og_scrape_url && urlOf(attachment) !== undefined;

export const keyOf = ({ cid, parentId, editing }: TrayPlace): string => {
  const key = draftKey(cid, parentId);
  return editing ? editKey(key, editing.id) : key;
};

/** Calls the listener when files, their states or their descriptions change, not for the progress of an upload. */
const subscribeToStates = (uploads: UploadsHandle, listener: () => void): (() => void) => {
  const look = () => uploads.get().items.map(({ id, state, alt }) => [id, state, alt]);
  let seen = JSON.stringify(look());
  return uploads.subscribe(() => {
    const next = JSON.stringify(look());
    if (next === seen) return;
    seen = next;
    listener();
  });
};

/** Takes over the attachments of the draft that were not written here: after a reload, or by another device. */
const followDraft = ({ drafts }: TrayChat, key: string, uploads: UploadsHandle): (() => void) => {
  const box = drafts.of(key);
  let seen: readonly Attachment[] | undefined;
  const follow = () => {
    const { attachments } = typedIn(box.get());
    if (attachments === seen) return;
    seen = attachments;
    const files = (attachments ?? []).filter(isFile);
    if (!isSameFiles(files, selectAttachments(uploads.get()))) uploads.settle(files);
  };
  follow();
  return box.subscribe(follow);
};

/** Notifies once of each file that failed or was blocked while the tray is not shown. */
const createFailureNotifier = (listener: () => TrayListener, isShown: () => boolean) => {
  const notified = new Set<string>();
  return (items: readonly UploadItem[]): void => {
    for (const item of items) {
      const isLost = item.state === 'failed' || item.state === 'blocked';
      if (!isLost) notified.delete(item.id);
      else if (!notified.has(item.id)) {
        notified.add(item.id);
        if (!isShown()) listener().onFailed(item);
      }
    }
  };
};

/** The client and the state of its composers. */
export type TrayChat = {
  client: ParleyClient;
  drafts: DraftBox;
  extras: ComposerExtras;
  uploading: Uploading;
};

/** The files of one message. They go on uploading when the composer leaves the screen. */
export const createTray = (
  chat: TrayChat,
  place: TrayPlace,
  listener: () => TrayListener,
  onEnd: () => void,
): Tray => {
  const { client, extras, uploading } = chat;
  const { cid, editing } = place;
  const key = keyOf(place);
  const uploads = client
    .feature(uploadsFeature)
    .create({ cid, ...(uploading.upload && { upload: uploading.upload }) });
  const pictures = createPictures({ shrink, urls: URL });
  let shown = 0;
  const notify = createFailureNotifier(listener, () => shown > 0);
  const stops = [
    uploads.subscribe(() => {
      pictures.follow(uploads.get().items);
      notify(uploads.get().items);
    }),
  ];
  if (editing) uploads.settle(editing.attachments.filter(isFile));
  else stops.push(followDraft(chat, key, uploads));
  const stopTray = () => {
    for (const end of stops) end();
    uploads.stop();
    pictures.follow([]);
    onEnd();
  };
  const endEdit = {
    reset: stopTray,
    /** An edit that is given up: its files belong to no message. */
    stop: () => {
      for (const { id, upload } of uploads.get().items) if (upload) uploads.delete(id);
      stopTray();
    },
  };
  stops.push(
    extras.carry(key, {
      attachments: () => selectAttachments(uploads.get()),
      refusal: () => selectSendRefusal(uploads.get()) && listener().wait,
      isEnough: () => uploads.get().items.some(({ attachment }) => attachment),
      owns: isFile,
      subscribe: (listener) => subscribeToStates(uploads, listener),
      ...(editing ? endEdit : { reset: uploads.resetStored }),
    }),
  );
  return {
    ...uploads,
    add: (files) => {
      const { refused } = uploads.add(files);
      pictures.follow(uploads.get().items);
      if (refused.length > 0) listener().onRefused(refused, uploads.get().items.length);
    },
    show: () => {
      shown++;
      return () => {
        shown--;
      };
    },
    pictures: pictures.made,
    isBusy: () => uploads.get().items.some(isRunning),
    stop: stopTray,
  };
};
