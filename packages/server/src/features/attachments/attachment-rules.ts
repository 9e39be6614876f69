import { isDeepStrictEqual } from 'node:util';
import { type Attachment, invalid, limits, ParleyError } from '@parley/protocol';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { FileAccess } from './file-access.ts';
import {
  createFileUrls,
  type FileRow,
  type FileUrls,
  factsOf,
  fileIdOf,
  isOwnFileUrl,
  isOwnUrl,
} from './record.ts';
import { findFiles, touchFiles } from './store.ts';

export type AttachmentRules = ReturnType<typeof createAttachmentRules>;

/** Fields that are loaded when a message is shown, and fields that open only on request. */
const loaded = ['asset_url', 'image_url', 'thumb_url'] as const;
const opened = ['title_link', 'og_scrape_url', 'author_link'] as const;

const none: Attachment[] = [];

const missing = (path: string): ParleyError => invalid(path, 'names no uploaded file');

const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

const urlsIn = (attachments: Attachment[]) =>
  attachments.flatMap((attachment, index) =>
    loaded.flatMap((field) => {
      const url = attachment[field];
      return typeof url === 'string' ? [{ url, path: `message.attachments.${index}.${field}` }] : [];
    }),
  );

const refuseOddUrls = (attachments: Attachment[], isKnown: (url: string) => boolean): void => {
  for (const [index, attachment] of attachments.entries()) {
    const fields: Record<string, unknown> = { ...attachment };
    for (const field of [...loaded, ...opened]) {
      const url = fields[field];
      if (typeof url === 'string' && !isKnown(url) && !isWebUrl(url))
        throw invalid(
          `message.attachments.${index}.${field}`,
          'must be an http or https URL, or that of an uploaded file',
        );
    }
  }
};

const link = /https?:\/\//i;

/** Whether anything in it, at any depth, is or holds a URL that leads elsewhere. */
const leadsOut = (value: unknown, isOurs: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return link.test(value) && !isOurs(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => leadsOut(inner, isOurs));
};

/** The first few link previews do not count: who may attach ten files may also name a page. */
const countOf = (attachments: Attachment[]): number => {
  const previews = attachments.filter(({ og_scrape_url }) => typeof og_scrape_url === 'string').length;
  return attachments.length - Math.min(previews, limits.previewsPerMessage);
};

/** Our own URLs in the form that never expires, and what we know of the file instead of what is claimed. */
const settle = (attachment: Attachment, files: ReadonlyMap<string, FileRow>, urls: FileUrls): Attachment => {
  const fileIn = (field: (typeof loaded)[number]): FileRow | undefined => {
    const url = attachment[field];
    return typeof url === 'string' ? files.get(fileIdOf(url) ?? '') : undefined;
  };
  const [asset, image, thumb] = [fileIn('asset_url'), fileIn('image_url'), fileIn('thumb_url')];
  const main = asset ?? image;
  if (!main && !thumb) return attachment;
  return {
    ...attachment,
    ...(asset ? { asset_url: urls.file(asset) } : {}),
    ...(image ? { image_url: urls.file(image) } : {}),
    ...(thumb ? { thumb_url: thumb.has_thumb ? urls.thumb(thumb) : urls.file(thumb) } : {}),
    ...(main?.has_thumb && !attachment.thumb_url ? { thumb_url: urls.thumb(main) } : {}),
    ...(main ? factsOf(main) : {}),
  };
};

/** Holds the attachments of a message against the rules. */
export const createAttachmentRules = (kernel: Kernel, fileAccess: FileAccess) => {
  const { publicUrl, uploads } = kernel.config;
  const urls = createFileUrls(publicUrl);

  const checkFile = async (db: Db, actor: Actor, file: FileRow | undefined, path: string): Promise<void> => {
    if (!file) throw missing(path);
    const isOwn = actorId(actor) === file.user_id;
    if (!isOwn && !(await fileAccess.mayRead(actor, file, db)))
      throw new ParleyError('NotAllowed', 'Not allowed to attach a file of another (attach-file)', [
        { path, message: "is another's file" },
      ]);
  };

  /** Marks files as used. Called after the right to attach was checked: a refused actor must not keep a file from being removed. */
  const use = async (db: Db, actor: Actor, added: { file: FileRow; path: string }[]): Promise<void> => {
    if (added.length === 0) return;
    const isOwn = ({ file }: { file: FileRow }) => actorId(actor) === file.user_id;
    const own = added.filter(isOwn).map(({ file }) => file.id);
    const ids = added.map(({ file }) => file.id);
    const touched = new Set(await touchFiles(db, ids, { own, now: kernel.now() }));
    const gone = added.find(({ file }) => !touched.has(file.id));
    if (gone) throw missing(gone.path);
  };

  return {
    /** Whether an attachment that the message did not carry before leads elsewhere: that is a link, in whatever field. */
    leadOut: (attachments: Attachment[], before = none): boolean =>
      attachments.some(
        (attachment) =>
          leadsOut(attachment, (text) => isOwnFileUrl(text, publicUrl)) &&
          !before.some((kept) => isDeepStrictEqual(kept, attachment)),
      ),
    /** The attachments as they are stored. `before` is what the message carries already: that may stay. */
    async check(
      actor: Actor,
      attachments: Attachment[],
      { before = none, db = kernel.db }: { before?: Attachment[]; db?: Db } = {},
    ): Promise<Attachment[]> {
      if (attachments.length === 0) return none;
      if (countOf(attachments) > Math.max(uploads.filesPerMessage, countOf(before)))
        throw invalid('message.attachments', `A message may have ${uploads.filesPerMessage} attachments`);
      const named = urlsIn(attachments).flatMap(({ url, path }) => {
        const id = fileIdOf(url);
        return id === undefined ? [] : [{ id, url, path }];
      });
      const ids = [...new Set(named.map(({ id }) => id))];
      const found = ids.length === 0 ? [] : await findFiles(db, ids);
      const files = new Map(found.map((file) => [file.id, file]));
      refuseOddUrls(attachments, (url) => files.has(fileIdOf(url) ?? ''));
      const kept = new Set(urlsIn(before).map(({ url }) => fileIdOf(url)));
      const added: { file: FileRow; path: string }[] = [];
      for (const { id, url, path } of named) {
        const file = files.get(id);
        if (kept.has(id) || !(file || isOwnUrl(url, publicUrl))) continue;
        await checkFile(db, actor, file, path);
        if (file) added.push({ file, path });
      }
      await use(db, actor, added);
      return attachments.map((attachment) => settle(attachment, files, urls));
    },
  };
};
