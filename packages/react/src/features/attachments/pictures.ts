import type { UploadItem } from '@parley/client/uploads';

const raster = /^image\/(jpeg|png|gif|webp|avif)$/;

export const isPicture = (mimeType: string): boolean => raster.test(mimeType);

type Urls = Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>;

/** Pictures of the files on this device. What leaves the list is let go of, or its bytes would stay in memory. */
export const createPictures = (urls: Urls) => {
  const made = new Map<string, string>();
  return {
    of: (id: string): string | undefined => made.get(id),
    follow(items: readonly UploadItem[]): void {
      const shown = new Set(items.map(({ id }) => id));
      for (const { id, file, mimeType } of items)
        if (file && isPicture(mimeType) && !made.has(id)) made.set(id, urls.createObjectURL(file));
      for (const [id, url] of made) {
        if (shown.has(id)) continue;
        urls.revokeObjectURL(url);
        made.delete(id);
      }
    },
  };
};
