import {
  type Attachment,
  invalid,
  limits,
  type MessageInput,
  ParleyError,
  type ScheduledMessage,
} from '@parley/protocol';
import { type Actor, actingUser } from '../../auth/actor.ts';
import { ReadyJson } from '../../http/ready-json.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { futureTime } from '../../query/future-time.ts';
import { type PageRequest, queryPage } from '../../query/page.ts';
import type { DueJob } from '../../work/due-job.ts';
import { refuseLocation } from '../messages/prepare.ts';
import { duplicateId } from '../messages/send-rules.ts';
import { findTaken } from '../messages/send-store.ts';
import type { Messages } from '../messages/service.ts';
import { lockForCount } from '../users/store.ts';
import { toGone, toScheduled } from './record.ts';
import {
  countScheduled,
  findScheduled,
  insertScheduled,
  lockOwn,
  ownScheduled,
  removeScheduled,
  type ScheduledRow,
  scheduledFields,
  updateScheduled,
} from './store.ts';

type Deps = { kernel: Kernel; messages: Messages; job: Pick<DueJob, 'wake'> };
type ScheduledChange = { text?: string; attachments?: Attachment[] | null; send_at?: string };

const answer = (row: ScheduledRow, status: number): ReadyJson =>
  new ReadyJson(JSON.stringify({ scheduled_message: toScheduled(row) }), status);

const missing = (id: string): ParleyError =>
  new ParleyError('NotFound', `No scheduled message ${id} of yours; it may have been sent`);

const changedInput = (input: MessageInput, { text, attachments }: ScheduledChange): MessageInput => ({
  ...input,
  ...(text === undefined ? {} : { text }),
  ...(attachments === undefined ? {} : { attachments: attachments ?? [] }),
});

/** Messages that their author wants to be sent later. */
export class ScheduledMessages {
  #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Held against the rules of now, and against those of then when it is sent. */
  async create(actor: Actor, cid: string, given: MessageInput, sendAt: string): Promise<ReadyJson> {
    const { kernel, messages, job } = this.#deps;
    const userId = actingUser(actor).row.id;
    refuseLocation(given);
    const { message } = await messages.prepare(actor, cid, given);
    const kept = await findScheduled(kernel.db, message.id);
    if (kept?.user_id === userId && kept.cid === cid) return answer(kept, 200);
    if (kept || (await findTaken(kernel.db, message.id))) throw duplicateId(message.id);
    const send_at = futureTime(sendAt, 'send_at', kernel.now());
    const { user_id: _, ...input } = given;
    const row = await kernel.write(async (tx) => {
      await lockForCount(tx.db, userId);
      if ((await countScheduled(tx.db, userId)) >= limits.scheduledPerUser)
        throw invalid('send_at', `a person may have ${limits.scheduledPerUser} scheduled messages`);
      const added = await insertScheduled(tx.db, {
        ...{ id: message.id, user_id: userId, cid, send_at },
        input: JSON.stringify({ ...input, id: message.id }),
        ...{ created_at: tx.now, updated_at: tx.now },
      });
      if (!added) throw duplicateId(message.id);
      tx.notify([userId], 'scheduled_message.created', { scheduled_message: toScheduled(added) }, cid);
      return added;
    });
    job.wake(send_at);
    return answer(row, 201);
  }

  async update(actor: Actor, id: string, change: ScheduledChange): Promise<ScheduledMessage> {
    const { kernel, messages, job } = this.#deps;
    const userId = actingUser(actor).row.id;
    const sendAt =
      change.send_at === undefined ? undefined : futureTime(change.send_at, 'send_at', kernel.now());
    const known = await findScheduled(kernel.db, id);
    if (known?.user_id !== userId) throw missing(id);
    await messages.check(actor, known.cid, changedInput(known.input, change));
    const updated = await kernel.writeFor(actor, async (tx) => {
      const row = await lockOwn(tx.db, id, userId, tx.now);
      const stored =
        row &&
        (await updateScheduled(
          tx.db,
          id,
          {
            input: JSON.stringify(changedInput(row.input, change)),
            ...(sendAt === undefined
              ? {}
              : { send_at: sendAt, status: 'waiting', error: null, attempts: 0, leased_until: null }),
          },
          tx.now,
        ));
      if (!stored) throw missing(id);
      const record = toScheduled(stored);
      tx.notify([userId], 'scheduled_message.updated', { scheduled_message: record }, stored.cid);
      return record;
    });
    if (sendAt !== undefined) job.wake(sendAt);
    return updated;
  }

  async remove(actor: Actor, id: string): Promise<void> {
    const userId = actingUser(actor).row.id;
    await this.#deps.kernel.writeFor(actor, async (tx) => {
      const row = await lockOwn(tx.db, id, userId, tx.now);
      if (!row) throw missing(id);
      await removeScheduled(tx.db, id);
      const fields = { scheduled_message: toGone(row, tx.now), is_sent: false };
      tx.notify([userId], 'scheduled_message.deleted', fields, row.cid);
    });
  }

  async query(actor: Actor, request: PageRequest) {
    const { kernel } = this.#deps;
    const userId = actingUser(actor).row.id;
    const page = await queryPage(ownScheduled(kernel.pools.queries, userId), request, {
      fields: scheduledFields,
      context: { actorId: userId },
      cursorKey: kernel.config.apiSecret,
    });
    return {
      scheduled_messages: page.rows.map(toScheduled),
      ...(page.next === undefined ? {} : { next: page.next }),
    };
  }
}
