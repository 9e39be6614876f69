import type { Attachment } from '@parley/protocol';
import { texts } from '@parley/protocol/errors';
import { createBatch, createCell, type Readable } from '../../readable.ts';
import { isPlaceholder, UploadCutOffError, type UploadItem, type UploadsState, urlOf } from './items.ts';
import type { UploadSource } from './upload-file.ts';

export type UploadList = ReturnType<typeof createUploadList>;

const toItem = (file: UploadSource, id: string): UploadItem => ({
  ...{ id, file, name: file.name || 'file', size: file.size, mimeType: file.type },
  ...{ state: 'pending', progress: 0, notice: undefined, error: undefined, upload: undefined },
  ...{ attachment: undefined, alt: undefined },
});

const toStored = (attachment: Attachment, id: string): UploadItem => ({
  ...{ id, file: undefined, name: attachment.title || 'file', size: attachment.file_size ?? 0 },
  ...{ mimeType: attachment.mime_type ?? '', state: 'finished', progress: 1 },
  ...{ notice: undefined, error: undefined, upload: undefined, attachment, alt: altOf(attachment) },
});

const toCutOff = (attachment: Attachment, id: string): UploadItem => ({
  ...toStored(attachment, id),
  ...{ state: 'failed', progress: 0, attachment: undefined },
  ...{ notice: texts.uploadFailed, error: new UploadCutOffError() },
});

const altOf = ({ alt }: Attachment & { alt?: unknown }): string | undefined =>
  typeof alt === 'string' && alt !== '' ? alt : undefined;

/** The files of one message in the order in which they are shown and sent. */
export const createUploadList = (uuid: () => string) => {
  const cell = createCell<UploadsState>({ items: [] }, createBatch());
  const items = () => cell.get().items;
  const set = (next: readonly UploadItem[]) => cell.set({ items: next });
  const find = (id: string) => items().find((item) => item.id === id);
  return {
    readable: { get: cell.get, subscribe: cell.subscribe } satisfies Readable<UploadsState>,
    items,
    find,
    change(id: string, values: Partial<UploadItem>): void {
      if (find(id)) set(items().map((item) => (item.id === id ? { ...item, ...values } : item)));
    },
    append: (files: UploadSource[]): void => set([...items(), ...files.map((file) => toItem(file, uuid()))]),
    drop: (id: string): void => set(items().filter((item) => item.id !== id)),
    move(id: string, index: number): void {
      const item = find(id);
      if (!item) return;
      const others = items().filter((other) => other !== item);
      const at = Math.max(0, Math.min(index, others.length));
      set([...others.slice(0, at), item, ...others.slice(at)]);
    },
    /** The stored ones become these, in this order; what is on its way or failed comes after them. */
    settle(attachments: readonly Attachment[]): void {
      const known = new Map(
        items().flatMap((item) => (item.attachment ? [[urlOf(item.attachment), item] as const] : [])),
      );
      const stored = attachments.map((attachment) => {
        const item = known.get(urlOf(attachment));
        return item ? { ...item, attachment, alt: altOf(attachment) } : toStored(attachment, uuid());
      });
      set([...stored, ...items().filter(({ attachment }) => !attachment)]);
    },
    restore: (attachments: readonly Attachment[]): void =>
      set(attachments.map((one) => (isPlaceholder(one) ? toCutOff : toStored)(one, uuid()))),
    replace: (id: string, file: UploadSource): void => {
      // Another file is another upload: the server would give back the first under the same id.
      const item = toItem(file, uuid());
      set(items().map((known) => (known.id === id ? item : known)));
    },
    clear: (): void => set([]),
  };
};
