import type { Reminder } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import type { Http } from '../../http/http.ts';
import type { OwnRecords } from '../../sync/own-records.ts';
import { isoOf } from '../../time-text.ts';

export type ReminderWish = {
  /** Left out or null: saved for later. */
  remindAt?: Date | string | null | undefined;
  note?: string | null | undefined;
};

/** The calls that change reminders, here and on the server. */
export const createWrites = (http: Http, { all, take, drop }: OwnRecords<Reminder>) => {
  const create = async (id: string, { remindAt, note }: ReminderWish): Promise<Reminder> => {
    const body = { ...(remindAt && { remind_at: isoOf('remindAt', remindAt) }), ...(note && { note }) };
    return (await http.call('POST /messages/{id}/reminders', { path: { id }, body })).reminder;
  };
  const change = async (id: string, { remindAt, note }: ReminderWish): Promise<Reminder> => {
    const body = {
      remind_at: remindAt ? isoOf('remindAt', remindAt) : null,
      ...(note !== undefined && { note }),
    };
    return (await http.call('PATCH /messages/{id}/reminders', { path: { id }, body })).reminder;
  };

  return {
    set: async (messageId: string, wish: ReminderWish = {}): Promise<Reminder> => {
      const first = all.get().has(messageId) ? change : create;
      const reminder = await first(messageId, wish).catch((error: unknown) => {
        // Another device was faster, to set it or to delete it.
        if (!(error instanceof ParleyError)) throw error;
        if (first === create && error.name === 'DuplicateId') return change(messageId, wish);
        if (first === change && error.name === 'NotFound') return create(messageId, wish);
        throw error;
      });
      take(reminder);
      return reminder;
    },
    delete: async (id: string): Promise<void> => {
      const known = all.get().get(id);
      try {
        await http.call('DELETE /messages/{id}/reminders', { path: { id } });
      } catch (error) {
        if (!(error instanceof ParleyError && error.name === 'NotFound')) throw error;
      }
      if (known) drop(id, known.updated_at);
    },
  };
};
