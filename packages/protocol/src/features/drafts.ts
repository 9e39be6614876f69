import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, Next, open, queryProperties, Time } from '../schema.ts';
import { DraftSchema } from './draft-record.ts';
import { AttachmentSchema } from './message-record.ts';

const draftMessageInput = open({
  text: optional('The text.', Type.String({ maxLength: limits.textLength })),
  attachments: optional(
    'The attachments.',
    Type.Array(AttachmentSchema, { maxItems: limits.attachmentsMost }),
  ),
  mentioned_users: optional(
    'The ids of the users to mention.',
    Type.Array(Id, { maxItems: limits.mentionsPerMessage }),
  ),
  quoted_message_id: optional('The message to quote.', Id),
});
/** The content of a draft; other keys are custom data of the message to be. */
export interface DraftMessageInput extends Static<typeof draftMessageInput> {}
export const DraftMessageInputSchema = record<DraftMessageInput>('DraftMessageInput', draftMessageInput);

const place = { parent_id: optional('The parent message, for a draft in a thread.', Id) };
const Version = Type.String({ pattern: '^[0-9]{1,15}$', errorText: 'must be the version of a draft' });

export const draftsCalls = {
  'POST /channels/{type}/{id}/draft': call({
    side: 'CS',
    limit: 'write',
    summary: 'Keep what is being written; with `version`, only over the draft that had it',
    body: closed({
      message: doc('The content of the draft.', DraftMessageInputSchema),
      ...place,
      version: optional(
        'The version that was last seen, 0 for none; left out, the last write wins.',
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      ),
    }),
    reply: Type.Object({
      draft: doc('The stored draft.', DraftSchema),
      conflict: optional(
        'Whether another device has written meanwhile; then `draft` is theirs and nothing was stored.',
        Type.Boolean(),
      ),
    }),
  }),
  'GET /channels/{type}/{id}/draft': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own draft of a channel, or of a thread in it',
    query: closed({ ...place }),
    reply: Type.Object({ draft: doc('The draft.', DraftSchema) }),
  }),
  'DELETE /channels/{type}/{id}/draft': call({
    side: 'CS',
    limit: 'write',
    summary: 'Forget a draft; with `version`, only if nothing was written since',
    query: closed({ ...place, version: optional('The version that was last seen.', Version) }),
    reply: Type.Object({
      draft: optional('The draft that stays because it was written since.', DraftSchema),
    }),
  }),
  'POST /drafts/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own drafts, the last written first',
    body: closed({ ...queryProperties }),
    reply: Type.Object({ drafts: doc('The drafts found.', Type.Array(DraftSchema)), next: Next }),
  }),
};

export const draftsEvents = {
  'draft.updated': Type.Object({ draft: doc('The draft as it is now.', DraftSchema) }),
  'draft.deleted': Type.Object({
    draft: doc(
      'The deleted draft.',
      Type.Object({
        cid: doc('The channel of the draft.', Cid),
        ...place,
        version: doc('The version of the draft after its deletion.', Type.Integer()),
        updated_at: doc('When the draft was deleted.', Time),
      }),
    ),
  }),
};
