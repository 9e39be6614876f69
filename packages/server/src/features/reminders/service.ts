import { invalid, limits, type Message, ParleyError, type Reminder } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { isCleared } from '../../access/place.ts';
import { type Actor, actingUser } from '../../auth/actor.ts';
import type { Db } from '../../db/schema.ts';
import { ReadyJson } from '../../http/ready-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { laterOf } from '../../lib/clock.ts';
import { futureTime } from '../../query/future-time.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { DueJob } from '../../work/due-job.ts';
import type { PersonalHook } from '../messages/hooks.ts';
import type { Hydrate } from '../messages/hydrate.ts';
import type { Messages } from '../messages/service.ts';
import { findMessages, holdMessages } from '../messages/store.ts';
import { lockForCount } from '../users/store.ts';
import { toOwnReminder, toReminder } from './record.ts';
import {
  countReminders,
  findReminder,
  findRemindersOn,
  insertReminder,
  noteReminders,
  ownReminders,
  type ReminderRow,
  reminderFields,
  removeReminder,
  updateReminder,
} from './store.ts';

type Deps = {
  kernel: Kernel;
  access: Access;
  messages: Messages;
  hydrate: Hydrate;
  job: Pick<DueJob, 'wake'>;
};
type NewReminder = { remind_at?: string; note?: string };
type ReminderChange = { remind_at?: string | null; note?: string | null };

const noteOf = (note: string | null | undefined): string | null => note?.trim() || null;

const isSame = (row: ReminderRow, remindAt: string | null, note: string | null): boolean =>
  row.remind_at === remindAt && row.note === note;

/** Reminders of messages, and messages saved for later. */
export class Reminders {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** One a message. The same again gives the stored one, with 200; another time is for `update`. */
  async create(actor: Actor, messageId: string, input: NewReminder): Promise<ReadyJson> {
    const { kernel, messages } = this.#deps;
    const user = actingUser(actor);
    const { row } = await messages.see(actor, messageId);
    if (row.deleted_at !== null) throw new ParleyError('NotFound', `No message ${messageId}`);
    const key = { user_id: user.row.id, message_id: messageId };
    const note = noteOf(input.note);
    const remindAt = input.remind_at === undefined ? null : isoOf(input.remind_at);
    const known = await findReminder(kernel.db, key);
    if (known && isSame(known, remindAt, note)) {
      const [message] = await this.#deps.hydrate(kernel.db, [row]);
      return answer(known, message, 200);
    }
    if (known) throw taken(messageId);
    if (remindAt !== null) futureTime(remindAt, 'remind_at', kernel.now());
    const { added: made, message } = await kernel.writeFor(actor, async (tx) => {
      const message = await this.#hold(tx.db, messageId);
      if (message.deleted_at !== undefined) throw new ParleyError('NotFound', `No message ${messageId}`);
      await lockForCount(tx.db, key.user_id);
      if ((await countReminders(tx.db, key.user_id)) >= limits.remindersPerUser)
        throw invalid('message_id', `a person may have ${limits.remindersPerUser} reminders`);
      const added = await insertReminder(tx.db, { ...key, cid: row.cid, remind_at: remindAt, note }, tx.now);
      if (!added) throw taken(messageId);
      if (await noteReminders(tx.db, key.user_id)) tx.stale({ what: 'user', key: key.user_id });
      tx.notify([key.user_id], 'reminder.created', { reminder: toReminder(added, message) }, added.cid);
      return { added, message };
    });
    if (remindAt !== null) this.#deps.job.wake(remindAt);
    return answer(made, message, 201);
  }

  /** Another time makes it fall due again, even if its owner was notified before. */
  async update(actor: Actor, messageId: string, change: ReminderChange): Promise<Reminder> {
    const { kernel, messages, job } = this.#deps;
    const user = actingUser(actor);
    await messages.see(actor, messageId);
    const { remind_at: time } = change;
    const remindAt = typeof time === 'string' ? futureTime(time, 'remind_at', kernel.now()) : time;
    const values = {
      ...(remindAt === undefined ? {} : { remind_at: remindAt, notified_at: null }),
      ...(change.note === undefined ? {} : { note: noteOf(change.note) }),
    };
    const reminder = await kernel.writeFor(actor, async (tx) => {
      const key = { user_id: user.row.id, message_id: messageId };
      const message = await this.#hold(tx.db, messageId);
      const row = await updateReminder(tx.db, key, values, tx.now);
      if (!row) throw missing();
      const record = toReminder(row, message);
      tx.notify([row.user_id], 'reminder.updated', { reminder: record }, row.cid);
      return record;
    });
    if (remindAt) job.wake(remindAt);
    return reminder;
  }

  /** Nobody needs to be able to read where they forget a reminder. */
  async remove(actor: Actor, messageId: string): Promise<void> {
    const user = actingUser(actor);
    await this.#deps.kernel.writeFor(actor, async (tx) => {
      const row = await removeReminder(tx.db, { user_id: user.row.id, message_id: messageId });
      if (!row) throw missing();
      const { message_id, cid, user_id } = row;
      const updated_at = laterOf(row.updated_at, tx.now);
      const reminder = { message_id, cid, user_id, updated_at };
      tx.notify([user_id], 'reminder.deleted', { reminder }, cid);
    });
  }

  async query(actor: Actor, request: PageRequest) {
    const { kernel } = this.#deps;
    const userId = actingUser(actor).row.id;
    const page = await queryPage(ownReminders(kernel.pools.queries, userId), request, {
      fields: reminderFields,
      context: { actorId: userId },
      cursorKey: kernel.config.apiSecret,
    });
    return {
      reminders: await this.#readable(actor, page.rows),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }

  /** The reader's reminders of a page of messages. */
  personal: PersonalHook = async (db, viewer, ids) => {
    if (!viewer.row.has_reminders) return undefined;
    const rows = await findRemindersOn(db, viewer.row.id, ids);
    return new Map(rows.map((row) => [row.message_id, { reminder: toOwnReminder(row) }]));
  };

  /** Leaves out reminders on messages that the actor cannot see now, and adds the messages to the others. */
  async #readable(actor: Actor, rows: ReminderRow[]): Promise<Reminder[]> {
    const { kernel, access, hydrate } = this.#deps;
    const found = await findMessages(
      kernel.db,
      rows.map((row) => row.message_id),
    );
    const seen: typeof found = [];
    for (const message of found) {
      const place = await access.look(actor, message.cid);
      if (place?.capabilities.has('read-channel') && !isCleared(place, message)) seen.push(message);
    }
    const messages = new Map((await hydrate(kernel.db, seen)).map((message) => [message.id, message]));
    return rows.flatMap((row) => {
      const message = messages.get(row.message_id);
      return message ? [toReminder(row, message)] : [];
    });
  }

  /** The message as everyone sees it, which stays so until the transaction ends: an event with a text from before it could come
   * after the one that deletes that text. */
  async #hold(db: Db, id: string): Promise<Message> {
    const [message] = await this.#deps.hydrate(db, await holdMessages(db, [id]));
    if (!message) throw new ParleyError('NotFound', `No message ${id}`);
    return message;
  }
}

const answer = (row: ReminderRow, message: Message | undefined, status: number): ReadyJson =>
  new ReadyJson(JSON.stringify({ reminder: toReminder(row, message) }), status);

const isoOf = (time: string): string => new Date(time).toISOString();

const missing = (): ParleyError => new ParleyError('NotFound', 'No reminder of yours on this message');

const taken = (messageId: string): ParleyError =>
  new ParleyError('DuplicateId', 'You have a reminder on this message already: change that one', [
    { path: 'message_id', message: `${messageId} has a reminder of yours` },
  ]);
