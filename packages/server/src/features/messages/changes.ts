import { isDeepStrictEqual } from 'node:util';
import {
  type Attachment,
  invalid,
  type Message,
  type MessageEdit,
  MessageInputSchema,
  ParleyError,
} from '@parley/protocol';
import type { Updateable } from 'kysely';
import { checkNewLinks } from '../../access/links.ts';
import { type Place, requireCapability, requireOn } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { MessageMarks, MessagesTable } from '../../db/schema.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { checkPatched, patchedValue } from '../../lib/check.ts';
import { applyPatch, customOf, type PatchBody, shapeOf } from '../../lib/custom.ts';
import type { DueJob } from '../../work/due-job.ts';
import type { AttachmentRules } from '../attachments/attachment-rules.ts';
import { lockActor } from '../members/lock-actor.ts';
import { callsOf, type Mentions } from '../mentions/service.ts';
import { keepVersion } from './history.ts';
import { pinValues, splitPin } from './pins.ts';
import { checkAttachments, checkNotEmpty, checkText, messageShape } from './prepare.ts';
import type { Messages } from './service.ts';
import { deleteMessage, lockMessage, recountReplies, updateMessage } from './store.ts';

type Content = {
  text: string;
  attachments: Attachment[];
  mentioned: string[];
  calls: MessageMarks | null;
  data: Record<string, unknown>;
  dropsLocation: boolean;
};

const editable = [
  'text',
  'attachments',
  'mentioned_users',
  'mentioned_roles',
  'mentioned_here',
  'mentioned_channel',
] as const;
const patchable = new Set<string>([...editable, 'shared_location']);
/** In a patch only these are known; what else a sender may say at first is fixed once sent. */
const patchShape = {
  known: patchable,
  reserved: new Set([
    ...messageShape.reserved,
    ...[...messageShape.known].filter((key) => !patchable.has(key)),
  ]),
};
const editShape = shapeOf(
  {
    properties: Object.fromEntries(
      [...editable, 'shared_location', 'user_id', 'id'].map((key) => [key, true]),
    ),
  },
  {
    properties: Object.fromEntries(
      [...messageShape.reserved, ...messageShape.known].map((key) => [key, true]),
    ),
  },
);

type Deps = {
  kernel: Kernel;
  messages: Messages;
  mentions: Mentions;
  attachmentRules: AttachmentRules;
  pinExpiry: Pick<DueJob, 'wake'>;
};

/** `seq` is where the channel's log stood after the change. */
type Changed = { message: Message; seq: number };

/** A message under the lock of its channel and then its own, about to change. */
type Subject = { tx: Tx; row: MessageRow; place: Place; isOwn: boolean; actor: Actor };

const refuseDeleted = (row: MessageRow): void => {
  if (row.deleted_at !== null)
    throw new ParleyError('InputInvalid', 'The message was deleted', [
      { path: 'id', message: 'names a deleted message' },
    ]);
};

const requireEditable = ({ row, place, isOwn }: Subject): void => {
  requireOn(place, 'update-message', isOwn);
  refuseDeleted(row);
};

const replacedContent = (edit: MessageEdit): Content => ({
  text: edit.text ?? '',
  attachments: edit.attachments ?? [],
  mentioned: edit.mentioned_users ?? [],
  calls: callsOf(edit),
  data: customOf(edit, editShape, 'message'),
  dropsLocation: edit.shared_location === null,
});

const patchedContent = (patch: PatchBody, row: MessageRow): Content => {
  const { known, custom } = applyPatch(patch, row.data, patchShape);
  const given = checkPatched(MessageInputSchema, editable, known);
  if (known.shared_location) throw invalid('set.shared_location', 'may only be taken away once it is sent');
  return {
    text: patchedValue(given.text, row.text, ''),
    attachments: patchedValue(given.attachments, row.attachments, []),
    mentioned: patchedValue(given.mentioned_users, row.mentioned, []),
    calls: callsOf({ ...row.marks, ...known }),
    data: custom,
    dropsLocation: known.shared_location === null,
  };
};

/** A repeated edit replaces nothing, so it leaves no version behind. */
const isOtherContent = (row: MessageRow, { text, attachments, data }: Content): boolean =>
  text !== row.text || !isDeepStrictEqual([attachments, data], [row.attachments, row.data]);

/** Edits, pins, deletes and undeletes. */
export class MessageChanges {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  replace(actor: Actor, id: string, edit: MessageEdit): Promise<Changed> {
    return this.#change(actor, id, async (subject) => {
      requireEditable(subject);
      if ('id' in edit && edit.id !== undefined && edit.id !== id)
        throw invalid('message.id', 'is another than in the path');
      return this.#applyContent(subject, replacedContent(edit));
    });
  }

  patch(actor: Actor, id: string, patch: PatchBody): Promise<Changed> {
    const { pin, rest } = splitPin(patch);
    return this.#change(actor, id, async (subject) => {
      const { tx, row, place } = subject;
      if (rest) requireEditable(subject);
      if (!pin) return this.#applyContent(subject, patchedContent(patch, row));
      requireCapability(place, 'pin-message');
      refuseDeleted(row);
      const edited = rest ? await this.#contentValues(subject, patchedContent(rest, row)) : undefined;
      const pinned = pinValues(row, pin, tx.now, actorId(actor));
      if (!edited && !pinned) return row;
      const expires = pinned?.pin_expires;
      if (expires) tx.later(() => this.#deps.pinExpiry.wake(expires));
      const isUnpinned = pinned?.pinned_at === null;
      return this.#store(subject, { ...edited, ...pinned }, isUnpinned ? { unpinned: true } : {});
    });
  }

  remove(actor: Actor, id: string, hard: boolean): Promise<Changed> {
    return this.#change(actor, id, async ({ tx, row, place, isOwn }) => {
      requireOn(place, 'delete-message', isOwn && !row.deleted_by_other);
      if (row.deleted_at !== null && !hard) return row;
      await this.#withdraw(tx, row);
      const deleted: MessageRow = hard
        ? { ...row, deleted_at: row.deleted_at ?? tx.now, updated_at: tx.now }
        : await updateMessage(tx.db, id, {
            deleted_at: tx.now,
            deleted_by_other: !isOwn,
            updated_at: tx.now,
          });
      await this.#deps.messages.publishEvent(tx, {
        type: 'message.deleted',
        row: deleted,
        fields: { hard_delete: hard },
      });
      if (hard) await this.#erase(tx, row);
      await this.#recountParent(tx, deleted);
      return deleted;
    });
  }

  undelete(actor: Actor, id: string): Promise<Changed> {
    return this.#change(actor, id, async ({ tx, row, place, isOwn }) => {
      requireOn(place, 'delete-message', isOwn && !row.deleted_by_other);
      if (place.channel.frozen || place.channel.disabled) requireCapability(place, 'freeze-channel');
      if (row.deleted_at === null)
        throw new ParleyError('InputInvalid', 'The message is not deleted', [
          { path: 'id', message: 'names a message that is not deleted' },
        ]);
      const back = await updateMessage(tx.db, id, {
        deleted_at: null,
        deleted_by_other: false,
        updated_at: tx.now,
      });
      await this.#deps.messages.publishEvent(tx, { type: 'message.undeleted', row: back });
      await this.#recountParent(tx, back);
      return back;
    });
  }

  async #change(actor: Actor, id: string, run: (subject: Subject) => Promise<MessageRow>): Promise<Changed> {
    const { kernel, messages } = this.#deps;
    const { place: before } = await messages.find(actor, id);
    const { cid } = before.channel;
    const { changed, seq } = await kernel.writeFor(actor, async (tx) => {
      // The channel may have been frozen, or the actor removed, since the first look.
      const { place } = await lockActor(tx, before, actor);
      const row = await lockMessage(tx.db, id);
      if (!row) throw new ParleyError('NotFound', `No message ${id}`);
      const changed = await run({ tx, row, place, isOwn: row.user_id === actorId(actor), actor });
      return { changed, seq: tx.seqs.get(cid) ?? place.channel.seq };
    });
    return { message: await messages.one(changed, actorId(actor)), seq };
  }

  async #applyContent(subject: Subject, content: Content): Promise<MessageRow> {
    return this.#store(subject, await this.#contentValues(subject, content));
  }

  async #store(
    { tx, row }: Subject,
    values: Updateable<MessagesTable>,
    fields: Record<string, unknown> = {},
  ): Promise<MessageRow> {
    const changed = await updateMessage(tx.db, row.id, { ...values, updated_at: tx.now });
    await this.#deps.messages.publishEvent(tx, { type: 'message.updated', row: changed, fields });
    return changed;
  }

  /** The columns of an edit; keeps what they replace. */
  async #contentValues(
    { tx, row, place, actor }: Subject,
    content: Content,
  ): Promise<Updateable<MessagesTable>> {
    const has_location = row.has_location && !content.dropsLocation;
    checkNotEmpty(content.text, content.attachments, row.poll_id !== null || has_location);
    checkText(content.text, place);
    checkNewLinks(place, row.data, content.data);
    checkAttachments(content.attachments);
    if (this.#deps.attachmentRules.leadOut(content.attachments, row.attachments))
      requireCapability(place, 'send-links');
    const attachments = await this.#deps.attachmentRules.check(actor, content.attachments, {
      before: row.attachments,
      db: tx.db,
    });
    const { mentioned, calls } = content;
    await this.#deps.mentions.check(tx.db, place, { users: mentioned, calls, before: row });
    const { command, args } = row.marks ?? {};
    const marks = { ...calls, ...(command && { command }), ...(args !== undefined && { args }) };
    if (row.has_location && !has_location) await this.#withdraw(tx, row);
    if (isOtherContent(row, { ...content, attachments })) await keepVersion(tx, row, actorId(actor));
    return {
      text: content.text,
      attachments: JSON.stringify(attachments),
      mentioned: JSON.stringify([...new Set(mentioned)]),
      marks: Object.keys(marks).length > 0 ? JSON.stringify(marks) : null,
      data: JSON.stringify(content.data),
      has_location,
      ...(content.text === row.text ? {} : { message_text_updated_at: tx.now }),
    };
  }

  async #withdraw(tx: Tx, row: MessageRow): Promise<void> {
    for (const hook of this.#deps.messages.hooks.withdrawn.answers) await hook(tx, row);
  }

  async #erase(tx: Tx, row: MessageRow): Promise<void> {
    for (const hook of this.#deps.messages.hooks.erasing.answers) await hook(tx, row);
    await deleteMessage(tx.db, row.id);
  }

  async #recountParent(tx: Tx, row: MessageRow): Promise<void> {
    const { cid, parent_id: parentId } = row;
    const parent = parentId === null ? undefined : await recountReplies(tx.db, { cid, parentId });
    if (!parent) return;
    await this.#deps.messages.publishEvent(tx, { type: 'message.updated', row: parent });
    for (const hook of this.#deps.messages.hooks.recounted.answers) await hook(tx, parent, row);
  }
}
