import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { Cid, closed, Id, Next, open, queryProperties, Time } from '../schema.ts';
import { DraftSchema } from './draft-record.ts';
import { AttachmentSchema } from './messages.ts';

/** What a caller may say in a draft; unknown keys are custom data of the message to be. */
export const DraftMessageInputSchema = open({
  text: Type.Optional(Type.String({ maxLength: limits.textLength })),
  attachments: Type.Optional(Type.Array(AttachmentSchema, { maxItems: limits.attachmentsMost })),
  mentioned_users: Type.Optional(Type.Array(Id, { maxItems: limits.mentionsPerMessage })),
  quoted_message_id: Type.Optional(Id),
});
export type DraftMessageInput = Static<typeof DraftMessageInputSchema>;

const place = { parent_id: Type.Optional(Id) };
const Version = Type.String({ pattern: '^[0-9]{1,15}$', errorText: 'must be the version of a draft' });

export const draftsCalls = {
  'POST /channels/{type}/{id}/draft': call({
    side: 'CS',
    limit: 'write',
    summary: 'Keep what is being written; with `version`, only over the draft that had it',
    body: closed({
      message: DraftMessageInputSchema,
      ...place,
      /** The version that was last seen, 0 for none. Left out, the last to write wins. */
      version: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    }),
    reply: Type.Object({
      draft: DraftSchema,
      /** Another device has written meanwhile: `draft` is theirs, and nothing was stored. */
      conflict: Type.Optional(Type.Boolean()),
    }),
  }),
  'GET /channels/{type}/{id}/draft': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own draft of a channel, or of a thread in it',
    query: closed(place),
    reply: Type.Object({ draft: DraftSchema }),
  }),
  'DELETE /channels/{type}/{id}/draft': call({
    side: 'CS',
    limit: 'write',
    summary: 'Forget a draft; with `version`, only if nothing was written since',
    query: closed({ ...place, version: Type.Optional(Version) }),
    reply: Type.Object({
      /** What stays, because it was written since. */
      draft: Type.Optional(DraftSchema),
    }),
  }),
  'POST /drafts/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own drafts, the last written first',
    body: closed(queryProperties),
    reply: Type.Object({ drafts: Type.Array(DraftSchema), next: Next }),
  }),
};

export const draftsEvents = {
  'draft.updated': Type.Object({ draft: DraftSchema }),
  'draft.deleted': Type.Object({
    draft: Type.Object({ cid: Cid, ...place, version: Type.Integer(), updated_at: Time }),
  }),
};
