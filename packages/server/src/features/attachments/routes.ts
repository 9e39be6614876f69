import type { Call, Routes } from '../../http/route.ts';
import type { Uploads, Wanted } from './service.ts';

/** The part of a call that all four kinds of uploads share. */
type UploadCall = Pick<Call<'POST /uploads/file'>, 'actor' | 'query' | 'request' | 'reply'>;

export const attachmentsRoutes = (routes: Routes, uploads: Uploads): void => {
  const receive = async ({ actor, query, request, reply }: UploadCall, wanted: Wanted) => {
    const { upload, isNew } = await uploads.receive(
      actor,
      { ...wanted, uploadId: query.upload_id },
      request.raw,
    );
    if (!isNew) reply.code(200);
    return upload;
  };

  for (const kind of ['file', 'image'] as const) {
    routes.add(`POST /uploads/${kind}`, (call) => receive(call, { kind }));
    routes.add(`DELETE /uploads/${kind}`, ({ actor, query }) => uploads.remove(actor, query.url));
    routes.add(`POST /channels/{type}/{id}/${kind}`, (call) =>
      receive(call, { kind, cid: `${call.params.type}:${call.params.id}` }),
    );
    routes.add(`DELETE /channels/{type}/{id}/${kind}`, ({ actor, query }) =>
      uploads.remove(actor, query.url),
    );
  }
  routes.add('POST /uploads/sign', ({ actor, body }) => uploads.sign(actor, body.urls));
  routes.add('GET /uploads/rules', () => uploads.rules());
};
