import { invalid, type Message, MessageInputSchema, ParleyError } from '@parley/protocol';
import type { Updateable } from 'kysely';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { MessagesTable } from '../../db/schema.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { checkValue } from '../../lib/check.ts';
import { applyPatch, customOf, type PatchBody, shapeOf } from '../../lib/custom.ts';
import { lockChannel, type Place, requireOn } from '../channels/access.ts';
import type { UserCache } from '../users/cache.ts';
import { checkNotEmpty, checkText, findMentioned, messageShape } from './prepare.ts';
import type { MessageRow } from './record.ts';
import type { Messages } from './service.ts';
import { lockMessage, recountReplies } from './store.ts';

export type MessageEdit = {
  text?: string;
  attachments?: Record<string, unknown>[];
  mentioned_users?: string[];
} & Record<string, unknown>;

type Content = {
  text: string;
  attachments: Record<string, unknown>[];
  mentioned: string[];
  data: Record<string, unknown>;
};

const editable = ['text', 'attachments', 'mentioned_users'] as const;
/** In a patch only these are known; what else a sender may say at first is fixed once sent. */
const patchShape = {
  known: new Set<string>(editable),
  reserved: new Set([
    ...messageShape.reserved,
    ...[...messageShape.known].filter((key) => !editable.includes(key as never)),
  ]),
};
const editShape = shapeOf(
  { properties: Object.fromEntries([...editable, 'user_id', 'id'].map((key) => [key, true])) },
  {
    properties: Object.fromEntries(
      [...messageShape.reserved, ...messageShape.known].map((key) => [key, true]),
    ),
  },
);

type Deps = { kernel: Kernel; messages: Messages; users: UserCache };

const changeable = (row: MessageRow | undefined, id: string): MessageRow => {
  if (!row) throw new ParleyError('NotFound', `No message ${id}`);
  return row;
};

export type MessageChanges = ReturnType<typeof createMessageChanges>;

/** Edits, deletes and undeletes. */
export const createMessageChanges = ({ kernel, messages, users }: Deps) => {
  /** One change of one message, under the lock of its channel and then its own. */
  const change = async (
    actor: Actor,
    id: string,
    run: (tx: Tx, row: MessageRow, place: Place, isOwn: boolean) => Promise<MessageRow>,
  ): Promise<Message> => {
    const { place } = await messages.find(actor, id);
    const row = await kernel.write(async (tx) => {
      await lockChannel(tx.db, place.channel.cid);
      const locked = changeable(await lockMessage(tx.db, id), id);
      return run(tx, locked, place, locked.user_id === actorId(actor));
    });
    return messages.one(row, actorId(actor));
  };

  const update = (tx: Tx, id: string, values: Updateable<MessagesTable>): Promise<MessageRow> =>
    tx.db.updateTable('messages').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

  const applyContent = async (
    tx: Tx,
    row: MessageRow,
    place: Place,
    content: Content,
  ): Promise<MessageRow> => {
    checkNotEmpty(content.text, content.attachments);
    checkText(content.text, place);
    await findMentioned(users, content.mentioned);
    const changed = await update(tx, row.id, {
      text: content.text,
      attachments: JSON.stringify(content.attachments),
      mentioned: JSON.stringify(content.mentioned),
      data: JSON.stringify(content.data),
      updated_at: tx.now,
      ...(content.text === row.text ? {} : { message_text_updated_at: tx.now }),
    });
    await messages.tellOf(tx, 'message.updated', changed);
    return changed;
  };

  const requireEditable = (row: MessageRow, place: Place, isOwn: boolean): void => {
    requireOn(place, 'update-message', isOwn);
    if (row.deleted_at !== null)
      throw new ParleyError('InputInvalid', 'The message was deleted', [
        { path: 'id', message: 'names a deleted message' },
      ]);
  };

  const afterCount = async (tx: Tx, row: MessageRow): Promise<void> => {
    const parent = row.parent_id === null ? undefined : await recountReplies(tx.db, row.parent_id);
    if (parent) await messages.tellOf(tx, 'message.updated', parent);
  };

  return {
    replace: (actor: Actor, id: string, edit: MessageEdit): Promise<Message> =>
      change(actor, id, async (tx, row, place, isOwn) => {
        requireEditable(row, place, isOwn);
        if (edit.id !== undefined && edit.id !== id)
          throw invalid('message.id', 'is another than in the path');
        return applyContent(tx, row, place, {
          text: edit.text ?? '',
          attachments: edit.attachments ?? [],
          mentioned: edit.mentioned_users ?? [],
          data: customOf(edit, editShape, 'message'),
        });
      }),
    patch: (actor: Actor, id: string, patch: PatchBody): Promise<Message> =>
      change(actor, id, async (tx, row, place, isOwn) => {
        requireEditable(row, place, isOwn);
        const { known, custom } = applyPatch(patch, row.data, patchShape);
        for (const key of editable)
          if (known[key] !== undefined && known[key] !== null)
            checkValue(MessageInputSchema.properties[key], known[key], `set.${key}`);
        return applyContent(tx, row, place, {
          text: (known.text === undefined ? row.text : (known.text ?? '')) as string,
          attachments: (known.attachments === undefined
            ? row.attachments
            : (known.attachments ?? [])) as Content['attachments'],
          mentioned: (known.mentioned_users === undefined
            ? row.mentioned
            : (known.mentioned_users ?? [])) as string[],
          data: custom,
        });
      }),
    remove: (actor: Actor, id: string, hard: boolean): Promise<Message> =>
      change(actor, id, async (tx, row, place, isOwn) => {
        requireOn(place, 'delete-message', isOwn);
        if (row.deleted_at !== null && !hard) return row;
        const deleted: MessageRow = hard
          ? { ...row, deleted_at: row.deleted_at ?? tx.now, updated_at: tx.now }
          : await update(tx, id, { deleted_at: tx.now, updated_at: tx.now });
        await messages.tellOf(tx, 'message.deleted', deleted, { hard_delete: hard });
        if (hard) await tx.db.deleteFrom('messages').where('id', '=', id).execute();
        await afterCount(tx, row);
        return deleted;
      }),
    undelete: (actor: Actor, id: string): Promise<Message> =>
      change(actor, id, async (tx, row, place, isOwn) => {
        requireOn(place, 'delete-message', isOwn);
        if (row.deleted_at === null)
          throw new ParleyError('InputInvalid', 'The message is not deleted', [
            { path: 'id', message: 'names a message that is not deleted' },
          ]);
        const back = await update(tx, id, { deleted_at: null, updated_at: tx.now });
        await messages.tellOf(tx, 'message.undeleted', back);
        await afterCount(tx, back);
        return back;
      }),
  };
};
