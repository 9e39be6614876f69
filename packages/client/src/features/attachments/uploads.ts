import type { Attachment } from '@parley/protocol';
import { invalid, ParleyError, texts } from '@parley/protocol/errors';
import type { Feature, FeatureCore } from '../../client.ts';
import { createHandles } from '../../handles.ts';
import type { Readable } from '../../readable.ts';
import {
  canRetry,
  selectAttachments,
  selectSendRefusal,
  type UploadItem,
  type UploadsState,
} from './items.ts';
import { createUploadList } from './list.ts';
import { type Client, createRules, createRunner, type Rules } from './runner.ts';
import { defaultSendFile, type SendFile } from './send-file.ts';
import { createUploadFunction, type UploadFunction, type UploadSource } from './upload-file.ts';

/** A file that is not there counts as deleted: the reply to an earlier call may have been lost. */
const isGone = (error: unknown): void => {
  if (!(error instanceof ParleyError && error.name === 'NotFound')) throw error;
};

const deleteFile = async ({ http }: Pick<Client, 'http'>, url: string): Promise<void> => {
  await http.call('DELETE /uploads/file', { query: { url } }).catch(isGone);
};

export type UploadsOptions = {
  /** The channel the files are for. */
  cid?: string;
  /** How many at a time. Default 3. */
  parallel?: number;
  /** Both default to what the server allows. */
  maxFiles?: number;
  maxBytes?: number;
  /** Stores files elsewhere than on the Parley server. */
  upload?: UploadFunction;
  /** How a form travels; the default uses XMLHttpRequest where there is one, for its progress. */
  sendFile?: SendFile;
};

export type UploadsHandle = Readable<UploadsState> & {
  /** Starts what fits; gives back the files for which the message has no place. */
  add(files: Iterable<UploadSource>): { refused: UploadSource[] };
  /** Stops the upload if it runs and takes the file out of the list; a stored file is deleted. */
  delete(id: string): void;
  /** Uploads a file again that failed. */
  retry(id: string): void;
  /** Moves a file to another place in the list. */
  move(id: string, index: number): void;
  /** Says what is to be seen, for those who cannot see it. */
  describe(id: string, alt: string): void;
  /** Sets the files that are stored already, by a draft or the message that is edited: these come, the other stored ones go, and none is deleted. */
  settle(attachments: readonly Attachment[]): void;
  /** Fills the list with the files of a message that a reload has cut off: those with placeholders have to be chosen again. */
  restore(attachments: readonly Attachment[]): void;
  /** Uploads another file in the place of one that failed. */
  replace(id: string, file: UploadSource): void;
  /** The attachments of the message. Throws "Wait until all attachments have uploaded" while some are on their way. */
  take(): Attachment[];
  /** Takes the stored files out of the list, once the message is sent: failed ones can still be tried again. */
  resetStored(): void;
  /** Empties the list. Uploads on their way are stopped. */
  reset(): void;
  /** Empties the list for good. */
  stop(): void;
};

export type Uploads = {
  /** The files of one message: queued, sent, tried again after a loss of network, and given to the composer. Call its
   * `stop` when the message is given up. */
  create(options?: UploadsOptions): UploadsHandle;
  /** Deletes an uploaded file by its URL; for its uploader. */
  deleteFile(url: string): Promise<void>;
  /** Deletes an uploaded image by its URL; for its uploader. */
  deleteImage(url: string): Promise<void>;
};

export const createUploads = (client: Client, rules: Rules, options: UploadsOptions = {}): UploadsHandle => {
  const { http } = client;
  const { uuid, fetch } = http.wire.environment;
  const upload = options.upload ?? createUploadFunction(http, options.sendFile ?? defaultSendFile(fetch));
  const list = createUploadList(uuid);
  const runner = createRunner({
    ...{ client, rules, list, upload, isOurs: options.upload === undefined },
    ...{ cid: options.cid, parallel: options.parallel ?? 3 },
    ...{ maxFiles: options.maxFiles, maxBytes: options.maxBytes },
  });

  /** A file that nobody will send need not lie there for a day. */
  const forget = (item: UploadItem): void => {
    if (item.upload && !options.upload) deleteFile(client, item.upload.file).catch(() => undefined);
  };

  const reset = (): void => {
    runner.haltAll();
    list.clear();
  };

  return {
    ...list.readable,
    add(files) {
      const all = [...files];
      const room = Math.max(0, runner.filesPerMessage() - list.items().length);
      list.append(all.slice(0, room));
      runner.next();
      return { refused: all.slice(room) };
    },
    delete(id) {
      const item = list.find(id);
      if (!item) return;
      runner.halt(id);
      list.drop(id);
      forget(item);
      runner.next();
    },
    retry(id) {
      const item = list.find(id);
      if (!item || !canRetry(item)) return;
      list.change(id, { state: 'pending', progress: 0, notice: undefined, error: undefined });
      runner.next();
    },
    move: list.move,
    describe: (id, alt) => list.change(id, { alt: alt.trim() || undefined }),
    settle: list.settle,
    restore: list.restore,
    replace: (id, file) => {
      list.replace(id, file);
      runner.next();
    },
    take() {
      if (selectSendRefusal(list.readable.get())) throw invalid('attachments', texts.uploadsPending);
      return selectAttachments(list.readable.get());
    },
    resetStored: () => list.settle([]),
    reset,
    stop: reset,
  };
};

const createFeature = (core: FeatureCore): Uploads => {
  const { client, http } = core;
  const rules = createRules(http);
  core.resets.push(rules.reset);
  return {
    create: createHandles(core, (options?: UploadsOptions) => createUploads(client, rules, options)),
    deleteFile: (url) => deleteFile(client, url),
    deleteImage: async (url) => {
      await http.call('DELETE /uploads/image', { query: { url } }).catch(isGone);
    },
  };
};

/** Uploads of files, for any number of messages at a time. */
export const uploads: Feature<Uploads> = { name: 'uploads', create: createFeature };
