import type { ParleyClient, VisibleMessage } from '@parley/client';
import { useClient } from '../../chat/client-provider.tsx';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { reminderTexts } from './texts.ts';

const loadReminders = async (client: ParleyClient) =>
  client.feature((await import('@parley/client/reminders')).reminders);

/** Saves a message for later, or deletes its reminder, without a question. */
export function useReminding() {
  const client = useClient();
  const notices = useNotices();
  const text = useTexts(reminderTexts);
  const showRefusal = useRefusal();
  return {
    save: async ({ id }: VisibleMessage) => {
      const reminders = await loadReminders(client);
      await reminders.set(id).then(() => notices.show({ title: text('savedForLater') }), showRefusal);
    },
    delete: async ({ id }: VisibleMessage) => (await loadReminders(client)).delete(id).catch(showRefusal),
  };
}
