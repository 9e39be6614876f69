import type { UploadItem } from '@parley/client/attachments';
import { createBox } from '../../chat/readables.ts';

const raster = /^image\/(jpeg|png|gif|webp|avif)$/;

export const isPicture = (mimeType: string): boolean => raster.test(mimeType);

/** Twice the size that is shown, for dense screens. */
const width = 128;

/** A full-size photo in a small box would slow down every frame. */
export const shrink = async (file: Blob): Promise<Blob> => {
  const bitmap = await createImageBitmap(file, { resizeWidth: width, resizeQuality: 'medium' });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/webp' });
};

type Picture = Pick<UploadItem, 'id' | 'mimeType' | 'file'>;
type Deps = {
  shrink: (file: Blob) => Promise<Blob>;
  urls: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>;
};

/** Small pictures of the files on this device, drawn one after the other. Those of files that leave the list are released. */
export const createPictures = (deps: Deps) => {
  const made = createBox<ReadonlyMap<string, string>>(new Map());
  const asked = new Set<string>();
  let shown = new Set<string>();
  let turn = Promise.resolve();

  const draw = async ({ id }: Picture, file: Blob): Promise<void> => {
    const small = shown.has(id) ? await deps.shrink(file).catch(() => undefined) : undefined;
    if (small && shown.has(id)) made.set(new Map(made.get()).set(id, deps.urls.createObjectURL(small)));
  };
  return {
    made,
    follow(items: readonly Picture[]): void {
      shown = new Set(items.map(({ id }) => id));
      for (const item of items) {
        const { id, file, mimeType } = item;
        if (!file || !isPicture(mimeType) || asked.has(id)) continue;
        asked.add(id);
        turn = turn.then(() => draw(item, file));
      }
      const gone = [...made.get()].filter(([id]) => !shown.has(id));
      for (const [, url] of gone) deps.urls.revokeObjectURL(url);
      if (gone.length > 0) made.set(new Map([...made.get()].filter(([id]) => shown.has(id))));
    },
  };
};
