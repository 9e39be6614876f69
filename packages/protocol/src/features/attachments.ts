import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { Cid, closed, NewId, Time, Url } from '../schema.ts';

/** A stored file. `file` is what messages carry; it never changes. See P40 for how it is read. */
const UploadSchema = Type.Object({
  file: Url,
  thumb_url: Type.Optional(Url),
  name: Type.String(),
  /** Decided by the bytes. */
  mime_type: Type.String(),
  file_size: Type.Integer(),
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  /** Seconds. */
  duration: Type.Optional(Type.Number()),
});
export type Upload = Static<typeof UploadSchema>;

const UploadRulesSchema = Type.Object({
  files_per_message: Type.Integer(),
  file_bytes: Type.Integer(),
  image_pixels: Type.Integer(),
  /** Types such as `application/x-msdownload` or `video/*`, and endings such as `.exe`. */
  blocked: Type.Array(Type.String()),
});
export type UploadRules = Static<typeof UploadRulesSchema>;

const form = closed({
  file: Type.String({ format: 'binary' }),
  cid: Type.Optional(Cid),
});
const upload = {
  side: 'CS',
  limit: 'write',
  status: 201,
  query: closed({ upload_id: Type.Optional(NewId) }),
  form,
  reply: UploadSchema,
} as const;
const inChannel = { ...upload, form: closed({ file: form.properties.file }) } as const;
const remove = {
  side: 'CS',
  limit: 'write',
  query: closed({ url: Type.String({ minLength: 1, maxLength: 2048 }) }),
  reply: Type.Object({ file: Url }),
} as const;

const again = 'the same `upload_id` again returns what was stored (200)';

export const attachmentsCalls = {
  'POST /uploads/file': call({ ...upload, summary: `Upload a file; ${again}` }),
  'POST /uploads/image': call({
    ...upload,
    summary: `Upload an image: turned upright, without its metadata, with a thumbnail; ${again}`,
  }),
  'DELETE /uploads/file': call({ ...remove, summary: 'Delete an uploaded file by its URL' }),
  'DELETE /uploads/image': call({ ...remove, summary: 'Delete an uploaded image by its URL' }),
  'POST /channels/{type}/{id}/file': call({ ...inChannel, summary: `Upload a file for a channel; ${again}` }),
  'POST /channels/{type}/{id}/image': call({
    ...inChannel,
    summary: `Upload an image for a channel; ${again}`,
  }),
  'DELETE /channels/{type}/{id}/file': call({ ...remove, summary: 'Delete an uploaded file by its URL' }),
  'DELETE /channels/{type}/{id}/image': call({ ...remove, summary: 'Delete an uploaded image by its URL' }),
  'POST /uploads/sign': call({
    side: 'CS',
    limit: 'read',
    summary:
      'URLs of files as a browser can load them, until `expires_at`; those the caller may not read are left out',
    body: closed({
      urls: Type.Array(Type.String({ maxLength: 2048 }), { minItems: 1, maxItems: limits.signedPerCall }),
    }),
    reply: Type.Object({ urls: Type.Record(Type.String(), Url), expires_at: Time }),
  }),
  'GET /uploads/rules': call({
    side: 'CS',
    limit: 'read',
    summary: 'What may be uploaded here: how many files a message, how large, which types not',
    reply: UploadRulesSchema,
  }),
};
