import { expect, test, vi } from 'vitest';
import { createPictures } from './pictures.ts';

const item = (id: string, mimeType: string) => ({
  id,
  mimeType,
  file: new File(['x'], id, { type: mimeType }),
});

test('A1 each picture is drawn once, and released when its file leaves the list', async () => {
  const live = new Set<string>();
  let drawn = 0;
  const pictures = createPictures({
    shrink: async (file) => {
      drawn++;
      return file;
    },
    urls: {
      createObjectURL: () => {
        live.add(`blob:${drawn}`);
        return `blob:${drawn}`;
      },
      revokeObjectURL: (url) => live.delete(url),
    },
  });
  const items = [item('a', 'image/png'), item('b', 'text/plain'), item('c', 'image/svg+xml')];
  pictures.follow(items);
  pictures.follow(items);

  await vi.waitFor(() => expect([...pictures.made.get()]).toEqual([['a', 'blob:1']]));
  expect(drawn).toBe(1);
  pictures.follow([]);
  expect([live.size, pictures.made.get().size]).toEqual([0, 0]);
});

test('A1 a file that cannot be drawn, or has left meanwhile, has no picture', async () => {
  const pictures = createPictures({
    shrink: async (file) => {
      if ((file as File).name === 'broken') throw new Error('no picture');
      return file;
    },
    urls: { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} },
  });
  pictures.follow([item('gone', 'image/png'), item('broken', 'image/png'), item('fine', 'image/png')]);
  pictures.follow([item('broken', 'image/png'), item('fine', 'image/png')]);

  await vi.waitFor(() => expect([...pictures.made.get().keys()]).toEqual(['fine']));
});
