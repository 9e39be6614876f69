import type { Attachment, MessageInput, ParleyClient, Readable, VisibleMessage } from '@parley/client';
import {
  fileUrls,
  isPlaceholder,
  isRunning,
  selectAttachments,
  selectSendRefusal,
  type UploadItem,
  type UploadSource,
  type UploadsHandle,
  uploads as uploadsFeature,
  urlOf,
} from '@parley/client/attachments';
import { type ComposerExtras, type Detached, type Detaching, editKey } from '../composer/composer-extras.ts';
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
  /** The reason why a message waits for files that were not uploaded. */
  notUploaded: string;
  onFailed(item: UploadItem): void;
  /** Called with the names of files of a draft that are gone. */
  onGone(names: readonly string[]): void;
  /** Called with the files for which there is no place beside the others. */
  onRefused(files: readonly UploadSource[], most: number): void;
  /** Called with a refused message of a conversation that is gone. */
  onLost(message: { cid: string; id: string; input: MessageInput }): void;
};

export const silent: TrayListener = {
  wait: uploadTexts.english.wait,
  notUploaded: uploadTexts.english.notUploaded,
  onFailed: () => {},
  onGone: () => {},
  onRefused: () => {},
  onLost: () => {},
};

export type Tray = Pick<UploadsHandle, 'get' | 'subscribe' | 'delete' | 'retry' | 'move' | 'describe'> & {
  add(files: Iterable<UploadSource>): void;
  /** Marks the tray as shown: it shows failures itself. Returns the function that ends it. */
  show(): () => void;
  /** Pictures of the files on this device, by the item's id. */
  pictures: Readable<ReadonlyMap<string, string>>;
  /** Uploads another file in the place of one that was cut off. */
  replace(id: string, file: UploadSource): void;
  isBusy(): boolean;
  stop(): void;
};

const kinds = new Set(['image', 'video', 'audio', 'file']);

/** Files belong to the tray; link previews, voice messages and attachments that only a product knows do not. */
export const isFile = (attachment: Attachment): boolean =>
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

/** Leaves out files of a draft that the server no longer has: a message with them would be refused. */
const dropGone = async (
  { client }: TrayChat,
  uploads: UploadsHandle,
  listener: TrayListener,
): Promise<void> => {
  const urls = client.feature(fileUrls);
  const stored = uploads.get().items.filter(({ file }) => !file);
  const urlIn = ({ attachment }: UploadItem) => (attachment && urlOf(attachment)) ?? '';
  await Promise.all(stored.map((item) => urls.resolve(urlIn(item))));
  const gone = stored.filter((item) => urls.isRefused(urlIn(item)) && uploads.get().items.includes(item));
  if (gone.length === 0) return;
  for (const { id } of gone) uploads.delete(id);
  listener.onGone(gone.map(({ name }) => name));
};

/** Takes over the attachments of the draft that were not written here: after a reload, or by another device. */
const followDraft = (
  chat: TrayChat,
  key: string,
  uploads: UploadsHandle,
  listener: () => TrayListener,
): (() => void) => {
  const box = chat.drafts.of(key);
  let seen: readonly Attachment[] | undefined;
  const follow = () => {
    const { attachments } = typedIn(box.get());
    if (attachments === seen) return;
    seen = attachments;
    const files = (attachments ?? []).filter(isFile);
    if (isSameFiles(files, selectAttachments(uploads.get()))) return;
    uploads.settle(files);
    if (files.length > 0) void dropGone(chat, uploads, listener());
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

/** The uploads of one message with their pictures. */
const createFiles = ({ client, uploading }: TrayChat, cid: string, listener: () => TrayListener) => {
  const uploads = client
    .feature(uploadsFeature)
    .create({ cid, ...(uploading.upload && { upload: uploading.upload }) });
  const pictures = createPictures({ shrink, urls: URL });
  let shown = 0;
  const notify = createFailureNotifier(listener, () => shown > 0);
  const stopNotifying = uploads.subscribe(() => {
    pictures.follow(uploads.get().items);
    notify(uploads.get().items);
  });
  const tray: Omit<Tray, 'stop'> = {
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
  };
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    stopNotifying();
    uploads.stop();
    pictures.follow([]);
  };
  /** Ends uploads whose files belong to no message. */
  const giveUp = () => {
    for (const { id, upload } of uploads.get().items) if (upload) uploads.delete(id);
    stop();
  };
  return { uploads, tray, stop, giveUp, isStopped: () => isStopped };
};
export type TrayFiles = ReturnType<typeof createFiles>;

type TrayEnds = {
  onEnd(): void;
  /** Called with the files when a message takes them over that waits for them; returns it. */
  onDetach(files: TrayFiles, message: Detaching): Detached;
};

/** The files of one message. They go on uploading when the composer leaves the screen. */
export const createTray = (
  chat: TrayChat,
  place: TrayPlace,
  listener: () => TrayListener,
  { onEnd, onDetach }: TrayEnds,
): Tray => {
  const { cid, editing } = place;
  const key = keyOf(place);
  const files = createFiles(chat, cid, listener);
  const { uploads } = files;
  const stops: (() => void)[] = [];
  if (editing) uploads.settle(editing.attachments.filter(isFile));
  else stops.push(followDraft(chat, key, uploads, listener));
  let isDetached = false;
  const leave = () => {
    for (const end of stops) end();
    onEnd();
  };
  const stop = () => {
    files.stop();
    leave();
  };
  const endOfEdit = {
    reset: stop,
    /** An edit that is given up: its files belong to no message. */
    stop: () => {
      files.giveUp();
      leave();
    },
  };
  const endOfNew = {
    reset: () => isDetached || uploads.resetStored(),
    detach: (message: Detaching) => {
      isDetached = true;
      leave();
      return onDetach(files, message);
    },
  };
  stops.push(
    chat.extras.carry(key, {
      attachments: () => selectAttachments(uploads.get()),
      refusal: () => selectSendRefusal(uploads.get()) && listener().wait,
      isEnough: () => uploads.get().items.some((item) => item.attachment || isRunning(item)),
      owns: isFile,
      subscribe: (changed) => subscribeToStates(uploads, changed),
      ...(editing ? endOfEdit : endOfNew),
    }),
  );
  return { ...files.tray, stop };
};

/** The files of a message that a reload has cut off. */
export const restoreFiles = (
  chat: TrayChat,
  { cid, attachments }: VisibleMessage,
  listener: () => TrayListener,
): TrayFiles => {
  const files = createFiles(chat, cid, listener);
  files.uploads.restore(attachments.filter((one) => isFile(one) || isPlaceholder(one)));
  return files;
};
