import type { UploadItem } from '@parley/client/uploads';
import { expect, test } from 'vitest';
import { createPictures } from './pictures.ts';

const item = (id: string, mimeType: string) =>
  ({ id, mimeType, file: new File(['x'], id, { type: mimeType }) }) as unknown as UploadItem;

test('A1 each picture is made once, and let go of when it leaves the list', () => {
  const live = new Set<string>();
  let made = 0;
  const pictures = createPictures({
    createObjectURL: () => {
      const url = `blob:${++made}`;
      live.add(url);
      return url;
    },
    revokeObjectURL: (url) => live.delete(url),
  });
  const items = [item('a', 'image/png'), item('b', 'text/plain'), item('c', 'image/svg+xml')];
  pictures.follow(items);
  pictures.follow(items);

  expect([pictures.of('a'), pictures.of('b'), made]).toEqual(['blob:1', undefined, 1]);
  pictures.follow([]);
  expect([live.size, pictures.of('a')]).toEqual([0, undefined]);
});
