import type { Feature } from '@parley/client';
import type { UploadFunction } from '@parley/client/attachments';

/** The settings that the uploads of all composers share; the uploads are loaded late, and may never be. */
export type Uploading = { upload?: UploadFunction | undefined; stop?: () => void };

export const uploading: Feature<Uploading> = {
  name: 'uploading',
  create: ({ resets }) => {
    const settings: Uploading = {};
    // This runs before the drafts are emptied: an upload that ends would write into them.
    resets.unshift(() => settings.stop?.());
    return settings;
  },
};
