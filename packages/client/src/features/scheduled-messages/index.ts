/** `@parley/client/scheduled-messages`: what the own user has written to be sent later. */
import type { Attachment, MessageInput, ScheduledMessage } from '@parley/protocol';
import { checkObject, fromCid } from '../../cid.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import { derived, type Readable, type Unsubscribe } from '../../readable.ts';
import { withSameId } from '../../same-id.ts';
import { createOwnRecords } from '../../sync/own-records.ts';
import { isoOf } from '../../time-text.ts';

export type { ScheduledMessage } from '@parley/protocol';

export type ScheduledChange = { text?: string; attachments?: Attachment[]; sendAt?: Date | string };

export type ScheduledMessages = {
  /** The next to be sent first. */
  all: Readable<readonly ScheduledMessage[]>;
  isLoaded: Readable<boolean>;
  /** Schedules a message to be sent later. */
  add(cid: string, message: MessageInput, sendAt: Date | string): Promise<ScheduledMessage>;
  /** Changes the content or the time of a scheduled message. */
  change(id: string, change: ScheduledChange): Promise<ScheduledMessage>;
  /** Deletes a scheduled message before it is sent. */
  delete(id: string): Promise<void>;
  /** Loads the scheduled messages again. */
  reload(): Promise<void>;
  /** Calls the listener with each message that could not be sent, and why. Its text is kept. */
  onFailed(listener: (scheduled: ScheduledMessage) => void): Unsubscribe;
};

const inOrder = (all: ReadonlyMap<string, ScheduledMessage>): readonly ScheduledMessage[] =>
  [...all.values()].sort((a, b) => a.send_at.localeCompare(b.send_at) || a.id.localeCompare(b.id));

const loadFrom =
  ({ http }: FeatureCore) =>
  async (next: string | undefined) => {
    const body = { limit: 100, ...(next !== undefined && { next }) };
    const reply = await http.call('POST /scheduled_messages/query', { body });
    return { records: reply.scheduled_messages, next: reply.next };
  };

const createScheduledMessages = (core: FeatureCore): ScheduledMessages => {
  const { http, events } = core;
  const listeners = new Set<(scheduled: ScheduledMessage) => void>();
  const records = createOwnRecords({
    core,
    keyOf: ({ id }: ScheduledMessage) => id,
    load: loadFrom(core),
  });
  const { all, take, drop } = records;
  events.listen({
    'scheduled_message.created': ({ scheduled_message }) => take(scheduled_message),
    'scheduled_message.updated': ({ scheduled_message }) => take(scheduled_message),
    'scheduled_message.deleted': ({ scheduled_message: { id, updated_at } }) => drop(id, updated_at),
    'notification.scheduled_message_failed': ({ scheduled_message }) => {
      take(scheduled_message);
      for (const listener of listeners) listener(scheduled_message);
    },
  });
  return {
    all: derived(all, inOrder),
    isLoaded: records.isLoaded,
    add: async (cid, message, sendAt) => {
      checkObject('message', message);
      const send_at = isoOf('sendAt', sendAt);
      const key = 'POST /channels/{type}/{id}/scheduled_messages';
      const { scheduled_message } = await withSameId(core, [cid, send_at], message, (sent) =>
        http.call(key, { path: fromCid(cid), body: { message: sent, send_at } }),
      );
      take(scheduled_message);
      return scheduled_message;
    },
    change: async (id, change) => {
      checkObject('change', change);
      const { sendAt, ...content } = change;
      const body = { ...content, ...(sendAt !== undefined && { send_at: isoOf('sendAt', sendAt) }) };
      const { scheduled_message } = await http.call('PATCH /scheduled_messages/{id}', { path: { id }, body });
      take(scheduled_message);
      return scheduled_message;
    },
    delete: async (id) => {
      const known = all.get().get(id);
      await http.call('DELETE /scheduled_messages/{id}', { path: { id } });
      if (known) drop(id, known.updated_at);
    },
    reload: records.load,
    onFailed: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The own scheduled messages, kept equal to the server's. */
export const scheduledMessages: Feature<ScheduledMessages> = {
  name: 'scheduled-messages',
  create: createScheduledMessages,
};
