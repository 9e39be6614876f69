import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { closed, Url } from '../schema.ts';

/** What a page says of itself, in the shape of an attachment. All texts are plain. */
const LinkPreviewSchema = Type.Object({
  type: Type.Enum(['article', 'image', 'video', 'audio']),
  /** The URL that was asked for. */
  og_scrape_url: Url,
  title_link: Url,
  title: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  author_name: Type.Optional(Type.String()),
  image_url: Type.Optional(Url),
  thumb_url: Type.Optional(Url),
  asset_url: Type.Optional(Url),
});
export type LinkPreview = Static<typeof LinkPreviewSchema>;

export const linkPreviewsCalls = {
  'GET /og': call({
    side: 'CS',
    limit: 'write',
    summary: 'What a page on the open web says of itself; nothing inside a private network is ever fetched',
    query: closed({ url: Type.String({ minLength: 1, maxLength: 2048 }) }),
    reply: LinkPreviewSchema,
  }),
};
