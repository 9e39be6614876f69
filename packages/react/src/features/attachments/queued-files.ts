import {
  type Attachment,
  type MessageRef,
  type ParleyClient,
  ParleyError,
  type VisibleMessage,
} from '@parley/client';
import {
  canRetry,
  isPlaceholder,
  isRunning,
  selectAttachments,
  toPlaceholder,
} from '@parley/client/attachments';
import { keptMessages } from '@parley/client/messages';
import type { Detached, Detaching } from '../composer/composer-extras.ts';
import { isBlank } from '../composer/is-blank.ts';
import { isFile, restoreFiles, type Tray, type TrayChat, type TrayFiles, type TrayListener } from './tray.ts';

/** The files of a message that waits for them in the list. */
export type QueuedFiles = { tray: Tray; isBusy(): boolean; stop(): void; giveUp(): void };

type Queue = { client: ParleyClient; listener: () => TrayListener; onEnd(id: string): void };
type Waiting = Detaching & { id: string; cid: string };

/** The text of a message as it is now: it may have been edited since it began to wait. */
const textOf = (client: ParleyClient, { cid, id, text }: Waiting): string => {
  const { messages = [], threads = {} } = client.channels.state(cid).get() ?? {};
  const all = [...messages, ...Object.values(threads).flatMap((thread) => thread.messages)];
  return all.find((message) => message.id === id)?.text ?? text;
};

/** Waits until every file is stored; failed ones are tried again first. A message of which nothing is left is discarded. */
const createRest = ({ client, listener, onEnd }: Queue, files: TrayFiles, message: Waiting) => {
  const { uploads } = files;
  const { id, cid, others } = message;
  return () =>
    new Promise<{ attachments: Attachment[] }>((resolve, reject) => {
      const look = () => {
        const { items } = uploads.get();
        if (items.some(isRunning)) return;
        stop();
        const isEmpty = items.length === 0 && others.length === 0 && isBlank(textOf(client, message));
        if (isEmpty && !files.isStopped()) return client.messages.discard(cid, id);
        // Uploads that were stopped, as by the end of the session, leave an empty list: without its files it must not go.
        if (files.isStopped() || items.some(({ attachment }) => !attachment))
          return reject(new ParleyError('InputInvalid', listener().notUploaded));
        resolve({ attachments: [...selectAttachments(uploads.get()), ...others] });
        files.stop();
        onEnd(id);
      };
      const stop = uploads.subscribe(look);
      for (const item of uploads.get().items) if (canRetry(item)) uploads.retry(item.id);
      look();
    });
};

/** A file that is chosen or tried again is another try of the whole message. */
const queuedOf = ({ client, onEnd: onOver }: Queue, files: TrayFiles, ref: MessageRef): QueuedFiles => {
  const onEnd = () => onOver(ref.id);
  const again =
    <G extends unknown[]>(act: (...given: G) => void) =>
    (...given: G) => {
      act(...given);
      client.messages.retry(ref.cid, ref.id).catch(() => undefined);
    };
  const { retry, replace, isBusy } = files.tray;
  const end = (act: () => void) => () => {
    act();
    onEnd();
  };
  const stop = end(files.stop);
  const tray = { ...files.tray, stop, retry: again(retry), replace: again(replace) };
  return { tray, isBusy, stop, giveUp: end(files.giveUp) };
};

/** Makes a message of the files in a composer, before all of them are stored. */
export const queueFiles = (
  queue: Queue,
  cid: string,
  files: TrayFiles,
  { text, others }: Detaching,
): { queued: QueuedFiles; message: Detached } => {
  const id = queue.client.http.wire.environment.uuid();
  const shown = files.uploads.get().items.map((item) => item.attachment ?? toPlaceholder(item));
  return {
    queued: queuedOf(queue, files, { cid, id }),
    message: {
      id,
      attachments: [...shown, ...others],
      rest: createRest(queue, files, { id, cid, text, others }),
    },
  };
};

/** The files of a message that was queued before the page was loaded. */
export const restoreQueued = (queue: Queue, chat: TrayChat, message: VisibleMessage): QueuedFiles => {
  const { id, cid, text, attachments } = message;
  const files = restoreFiles(chat, message, queue.listener);
  const others = attachments.filter((one) => !isFile(one) && !isPlaceholder(one));
  chat.client.feature(keptMessages).provide(id, createRest(queue, files, { id, cid, text, others }));
  return queuedOf(queue, files, message);
};
