import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, NewId, Time, Url } from '../schema.ts';

const uploaded = Type.Object({
  file: doc('The URL of the file as messages carry it; it never changes.', Url),
  thumb_url: optional('The URL of the thumbnail of an image.', Url),
  name: doc('The name of the file.', Type.String()),
  mime_type: doc('The media type, detected from the bytes of the file.', Type.String()),
  file_size: doc('The size in bytes.', Type.Integer()),
  width: optional('The width of an image or video in pixels.', Type.Integer()),
  height: optional('The height of an image or video in pixels.', Type.Integer()),
  duration: optional('The length of a recording or video in seconds.', Type.Number()),
});
/** A stored file. See P40 for how it is read. */
export interface Upload extends Static<typeof uploaded> {}
const UploadSchema = record<Upload>('Upload', uploaded);

const uploadRules = Type.Object({
  files_per_message: doc('The maximum number of files in one message.', Type.Integer()),
  file_bytes: doc('The maximum size of a file in bytes.', Type.Integer()),
  image_pixels: doc('The maximum number of pixels of an image.', Type.Integer()),
  blocked: doc(
    'Refused media types such as `application/x-msdownload` or `video/*`, and file endings such as `.exe`.',
    Type.Array(Type.String()),
  ),
});
export interface UploadRules extends Static<typeof uploadRules> {}
const UploadRulesSchema = record<UploadRules>('UploadRules', uploadRules);

const fileProperties = { file: doc('The file with its name.', Type.String({ format: 'binary' })) };
const form = closed({
  ...fileProperties,
  cid: optional('The channel whose members may read the file.', Cid),
});
const upload = {
  side: 'CS',
  limit: 'write',
  status: 201,
  query: closed({
    upload_id: optional('An id chosen by the caller; repeating it returns the stored file.', NewId),
  }),
  form,
  reply: UploadSchema,
} as const;
const inChannel = { ...upload, form: closed({ ...fileProperties }) } as const;
const remove = {
  side: 'CS',
  limit: 'write',
  query: closed({
    url: doc('The URL of the file to delete.', Type.String({ minLength: 1, maxLength: 2048 })),
  }),
  reply: Type.Object({ file: doc('The URL of the deleted file.', Url) }),
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
      urls: doc(
        'The URLs of the files to sign.',
        Type.Array(Type.String({ maxLength: 2048 }), { minItems: 1, maxItems: limits.signedPerCall }),
      ),
    }),
    reply: Type.Object({
      urls: doc('The signed URL of each file, by its URL.', Type.Record(Type.String(), Url)),
      expires_at: doc('When the signed URLs stop working.', Time),
    }),
  }),
  'GET /uploads/rules': call({
    side: 'CS',
    limit: 'read',
    summary: 'What may be uploaded here: how many files a message, how large, which types not',
    reply: UploadRulesSchema,
  }),
};
