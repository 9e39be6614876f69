import type { ParleyClient, VisibleMessage } from '@parley/client';
import { type ReactNode, useMemo, useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useRefusal } from '../../chat/use-refusal.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useNotices } from '../../ui/notices.tsx';
import type { Opens } from '../messages/message-parts.ts';
import type { RemindDialogProps } from './remind-dialog.tsx';
import type { ReminderActs } from './reminder-actions.tsx';
import { reminderTexts } from './texts.ts';

const RemindDialog = lazyPart<RemindDialogProps>(
  async () => (await import('./remind-dialog.tsx')).RemindDialog,
);

const loadReminders = async (client: ParleyClient) =>
  client.feature((await import('@parley/client/reminders')).reminders);

/** The actions of rows about reminders, and the dialog for the time. */
export function useReminding(opens: Opens): { acts: ReminderActs; dialog: ReactNode } {
  const client = useClient();
  const notices = useNotices();
  const text = useTexts(reminderTexts);
  const showRefusal = useRefusal();
  const [asked, setAsked] = useState<VisibleMessage>();
  const acts = useMemo(
    () => ({
      remind: opens(setAsked),
      saveForLater: async ({ id }: VisibleMessage) => {
        const reminders = await loadReminders(client);
        await reminders.set(id).then(() => notices.show({ title: text('savedForLater') }), showRefusal);
      },
      forgetReminder: async ({ id }: VisibleMessage) => {
        const reminders = await loadReminders(client);
        await reminders.delete(id).catch(showRefusal);
      },
    }),
    [client, notices, text, showRefusal, opens],
  );
  const dialog = asked && <RemindDialog messageId={asked.id} onClose={() => setAsked(undefined)} />;
  return { acts, dialog };
}
