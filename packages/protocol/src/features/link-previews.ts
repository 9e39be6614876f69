import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { doc, optional, record } from '../record.ts';
import { closed, Url } from '../schema.ts';

const linkPreview = Type.Object({
  type: doc('The kind of page.', Type.Enum(['article', 'image', 'video', 'audio'])),
  og_scrape_url: doc('The URL that was requested.', Url),
  title_link: doc('The URL to open for the page.', Url),
  title: optional('The title of the page, as plain text.', Type.String()),
  text: optional('The description of the page, as plain text.', Type.String()),
  author_name: optional('The name of the site or author.', Type.String()),
  image_url: optional('The URL of a picture of the page.', Url),
  thumb_url: optional('The URL of a small picture of the page.', Url),
  asset_url: optional('The URL of the video or audio of the page.', Url),
});
/** The metadata of a page, in the shape of an attachment. */
export interface LinkPreview extends Static<typeof linkPreview> {}
const LinkPreviewSchema = record<LinkPreview>('LinkPreview', linkPreview);

export const linkPreviewsCalls = {
  'GET /og': call({
    side: 'CS',
    limit: 'write',
    summary: 'What a page on the open web says of itself; nothing inside a private network is ever fetched',
    query: closed({ url: doc('The URL of the page.', Type.String({ minLength: 1, maxLength: 2048 })) }),
    reply: LinkPreviewSchema,
  }),
};
