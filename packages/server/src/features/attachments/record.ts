import type { Upload } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { FilesTable } from '../../db/file-tables.ts';

export type FileRow = Selectable<FilesTable>;

const filePath = /^\/files\/([A-Za-z0-9_-]{24})\//;
const anyOrigin = /^https?:\/\/[^/?#]+(?=\/)/i;

/** The id in a URL that has the path of a file, with or without an origin; undefined for any other. */
export const fileIdOf = (url: string): string | undefined => filePath.exec(url.replace(anyOrigin, ''))?.[1];

/** Whether a URL has no origin, or that of this server. */
export const isOwnUrl = (url: string, publicUrl: string | undefined): boolean =>
  url.startsWith('/') ||
  (publicUrl !== undefined && url.startsWith(`${publicUrl.replace(/\/+$/, '')}/files/`));

/** Whether a text is the URL of a file of this server, and holds nothing else. */
export const isOwnFileUrl = (text: string, publicUrl: string | undefined): boolean => {
  const base = `${publicUrl?.replace(/\/+$/, '')}/files/`;
  return publicUrl !== undefined && text.startsWith(base) && !/\s|:\/\//.test(text.slice(base.length));
};

type Named = Pick<FileRow, 'id' | 'name'>;

/** The URLs of files. They hold for ever: what may expire is added when someone asks to read. */
export const createFileUrls = (publicUrl: string | undefined) => {
  const base = `${publicUrl?.replace(/\/+$/, '') ?? ''}/files`;
  return {
    file: ({ id, name }: Named): string => `${base}/${id}/${encodeURIComponent(name)}`,
    thumb: ({ id, name }: Named): string =>
      `${base}/${id}/thumb/${encodeURIComponent(name.replace(/\.[^.]*$/, ''))}.webp`,
  };
};
export type FileUrls = ReturnType<typeof createFileUrls>;

/** The facts of a file, as uploads and attachments show them. */
export const factsOf = (row: FileRow) => ({
  mime_type: row.mime_type,
  file_size: row.size,
  ...(row.width === null ? {} : { width: row.width }),
  ...(row.height === null ? {} : { height: row.height }),
  ...(row.duration === null ? {} : { duration: row.duration }),
});

export const toUpload = (row: FileRow, urls: FileUrls): Upload => ({
  file: urls.file(row),
  ...(row.has_thumb ? { thumb_url: urls.thumb(row) } : {}),
  name: row.name,
  ...factsOf(row),
});
