import { type MessageInput, ParleyError } from '@parley/client';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { useNotify, useRefusal } from '../../chat/use-refusal.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClock } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { outgoingOf } from '../commands/outgoing.ts';
import { commandTexts } from '../commands/texts.ts';
import type { ComposerPlace } from '../composer/composer-parts.ts';
import { answerFields } from '../drafts/draft-box.ts';
import { lateReminderTexts } from '../reminders/late-texts.ts';
import { whenChoices } from '../reminders/when.ts';
import { WhenPicker } from '../reminders/when-picker.tsx';
import { lateScheduledTexts } from './late-texts.ts';
import { scheduledTexts } from './texts.ts';

export type SendLaterProps = Pick<ComposerPlace, 'cid' | 'parentId' | 'composer'>;

/** Empties the composer only once the server has stored the message; a refused one stays. */
function useSchedule({ cid, parentId, composer }: SendLaterProps) {
  const text = useTexts(lateScheduledTexts);
  const client = useClient();
  const notices = useNotices();
  const notify = useNotify();
  const commandText = useTexts(commandTexts);
  const format = useFormat();
  const showRefusal = useRefusal();
  const { draft, carried, acts } = composer;
  const [isBusy, setBusy] = useState(false);
  const schedule = async (at: Date) => {
    if (carried.refusal !== undefined) return void notices.show({ title: carried.refusal, tone: 'danger' });
    const plan = await outgoingOf(client).commands.plan(cid, draft.text);
    if (plan.kind === 'refused') return notify(commandText(plan.reason, { name: plan.name }));
    if (plan.kind !== 'send') return void notices.show({ title: text('notACommand'), tone: 'danger' });
    const input: MessageInput = {
      ...plan.input,
      ...(carried.attachments.length > 0 && { attachments: [...carried.attachments] }),
      ...answerFields(draft, parentId),
    };
    await client.feature(scheduledMessages).add(cid, input, at);
    acts.setText('');
    carried.reset();
    if (draft.quote) acts.cancelQuote();
    const when = `${format.day(at)}, ${format.time(at)}`;
    notices.show({ title: text('scheduledFor', { when }) });
  };
  const run = async (at: Date) => {
    setBusy(true);
    await schedule(at).catch((error: unknown) =>
      error instanceof ParleyError ? showRefusal(error) : notify(commandText('couldNotLoad')),
    );
    setBusy(false);
  };
  return { isBusy, run };
}

/** The menu beside the send button. */
export function SendLater(props: SendLaterProps) {
  const text = useTexts(scheduledTexts);
  const whenText = useTexts(lateReminderTexts);
  const format = useFormat();
  const { isBusy, run } = useSchedule(props);
  const [isAsking, setAsking] = useState(false);
  const quick = whenChoices(new Date()).filter(({ id }) => id === 'in20' || id === 'tomorrow');
  return (
    <>
      <Menu
        side="top"
        trigger={
          <IconButton label={text('sendLater')} disabled={isBusy}>
            <IconClock />
          </IconButton>
        }
        actions={[
          ...quick.map(({ id, at }) => ({
            id,
            label: id === 'tomorrow' ? `${whenText(id)}, ${format.time(at)}` : whenText(id),
            onSelect: () => void run(at),
          })),
          { id: 'ask', label: `${whenText('dateTime')}…`, onSelect: () => setAsking(true) },
        ]}
      />
      {isAsking && <WhenDialog onPick={run} onClose={() => setAsking(false)} />}
    </>
  );
}

type WhenDialogProps = { onPick: (at: Date) => Promise<void>; onClose: () => void };

function WhenDialog({ onPick, onClose }: WhenDialogProps) {
  const text = useTexts(scheduledTexts);
  const lateText = useTexts(lateScheduledTexts);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text('sendLater')}>
      <WhenPicker
        confirm={lateText('schedule')}
        onPick={(at) => {
          onClose();
          void onPick(at);
        }}
      />
    </Dialog>
  );
}

export type SendLaterDialogProps = SendLaterProps & { onClose: () => void };

/** The same choice for a narrow screen, where no button is beside the field. */
export function SendLaterDialog({ onClose, ...place }: SendLaterDialogProps) {
  const { run } = useSchedule(place);
  return <WhenDialog onPick={run} onClose={onClose} />;
}
